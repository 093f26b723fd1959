# SPDX-License-Identifier: MIT
"""Tensors of PyTorch in main memory: results are tensors of the same type, and samples are not copied.

    tensors.py PACKAGE_DIR
"""

from package import *
from harness import check, finish

with needed_modules():
    import torch

rng = np.random.default_rng(4)
for dtype in [torch.float32, torch.float64, torch.float16, torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64]:
    x = (torch.randn(3, 40, 5) * 50).to(dtype)
    for part, axis in [(x, 1), (x[:, ::3], -1), (x.permute(2, 0, 1), 2), (x[1, :, 2], 0), (x[:0], 1)]:
        lo, hi = gpuenv.minmax(part, 3, axis=axis)
        due = gpuenv.minmax(part.numpy(), 3, axis=axis)
        check(isinstance(lo, torch.Tensor) and lo.dtype == dtype and lo.device == x.device, "type", dtype, lo.dtype)
        check(same(lo.numpy(), due[0]) and same(hi.numpy(), due[1]), "values", dtype, part.shape)
x = torch.tensor([True, False, False, True])
check(gpuenv.maximum(x, 2).dtype == torch.bool and gpuenv.maximum(x, 2).tolist() == [True, False, True], "bool")
check(gpuenv.absmax(torch.tensor([3 + 4j, 0]), 1).tolist() == [5, 0], "complex")
check(raises(TypeError, gpuenv.minimum, torch.zeros(3, dtype=torch.bfloat16), 2), "bfloat16")
check(raises(Exception, gpuenv.minimum, torch.zeros(3, requires_grad=True), 2), "gradients would be lost")

x = torch.randn(1, 1, 5000)
pooled = torch.nn.functional.max_pool1d(x, 32, stride=4)
check(torch.equal(gpuenv.maximum(x, 32, hop=4), pooled), "max_pool1d")
room = torch.empty(4969), torch.empty(4969)
back = gpuenv.minmax(x[0, 0], 32, out=room)
check(back[0] is room[0] and torch.equal(room[1], gpuenv.maximum(x[0, 0], 32)), "out")
expected = gpuenv.maximum(x, 9, align="center")
check(torch.equal(gpuenv.maximum(x, 9, align="center", out=x), expected) and torch.equal(x, expected), "in place")
stream = gpuenv.Stream(3)
parts = [stream.push(x[0, 0, :100]), stream.push(x[0, 0, 100:]), stream.finish()]
check(torch.equal(torch.cat([p[1] for p in parts]), gpuenv.maximum(x[0, 0], 3)), "a stream")
check(gpuenv.stats(x).max.item() == x.max().item(), "statistics")
check(torch.equal(gpuenv.zoom(x, 500)[1], x.reshape(1, 1, 10, 500).amax(-1)), "zoom")
many = [gpuenv.maximum(x, 3) for _ in range(10000)]
check(len(many) == 10000, "capsules are freed")
finish()
