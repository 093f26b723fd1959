# SPDX-License-Identifier: MIT
"""Makes the stub of gpuenv._core, and a header with the signatures and docstrings of its functions:
stub.py SOURCE MOVES STUB HEADER

The source has each function of an array x: _X once, with the arguments of _WINDOW() where _WINDOW stands. In the stub there
are several: for arrays of NumPy whose type is kept, for others of NumPy, for one that comes back in its own library, and
for what NumPy makes an array of; and these again for `emit`, whose results are one or several. MOVES has the functions of
bottleneck, and their types."""

import ast
import pathlib
import re
import sys

KINDS = [("_Numpy", "_Numpy"), ("_Array", "_Array"), ("_Convertible", "_Numpy")]
OF_TYPE = "numpy.ndarray[Any, numpy.dtype[{}]]"
NARROW = [("edge: _Edge", "edge: Literal['shrink']"), ("min_count: Optional[SupportsIndex]", "min_count: None"),
          ("closed: _Closed", "closed: Literal['right', 'both']"), ("out: Any", "out: None")]  # fmt: skip
# Types that results keep, with all arguments narrow or, as floats do, with out alone.
KEPT = {
    **dict.fromkeys(["minmax", "minimum", "maximum"], [("_Kept", NARROW), ("_Floating", NARROW[-1:])]),
    **dict.fromkeys(["absmax", "ptp", "mid"], [("_Wide", NARROW[-1:])]),
    "zoom": [("_Kept", NARROW)],
}
# What zoom() gives of arrays of NumPy for one value, by its name.
ONE = [("_Mean", OF_TYPE.format("numpy.float64")), ("_Number", "_Positions"), ("_One", "_Numpy")]


def overloads(name, head, body):
    def of(kind, result, head=head, narrow=()):
        for wide, narrower in narrow:
            head = head.replace(wide, narrower)
        return head.replace("_X", kind, 1).replace("_X", result)

    kinds = [(kind, result.replace("_Numpy", "_Positions") if name.startswith("arg") else result) for kind, result in KINDS]
    emit = re.search(r"emit: (.*?)='min,max'", head)
    two = head.replace(f"{emit[0]}, ", "") if emit else head
    heads = [of(OF_TYPE.format(kept), OF_TYPE.format(kept), two, narrow) for kept, narrow in KEPT.get(name, [])]
    heads += [of(*kind, two) for kind in kinds]
    if emit:
        one = re.sub(" -> .*", " -> _X", head)
        kept = OF_TYPE.format("_Kept")
        heads.append(of(kept, kept, one.replace(emit[0], "emit: _Extreme"), NARROW))
        for words, found in ONE:
            named = one.replace(emit[0], f"emit: {words}")
            narrow = NARROW[-1:] if found != "_Numpy" else []
            heads += [of(kind, found if result == "_Numpy" else result, named, narrow) for kind, result in KINDS]
        several = one.replace(emit[0], f"emit: {emit[1]}").replace("-> _X", "-> Union[_X, Tuple[_X, ...]]")
        heads += [of(*kind, several) for kind in KINDS]
    heads = [one.replace("out: Any", "out: _Out") if "-> Tuple" in one else one for one in heads]
    return [f"@overload\n{one}:\n{body if one == heads[0] else '    ...'}" for one in heads]


def text_of(function):
    """As a macro of C. inspect finds the signature in front of the docstring."""
    text = ast.get_docstring(function)
    for one in [*function.args.args, *function.args.kwonlyargs]:
        one.annotation = None
    text = f"{function.name}($module, {ast.unparse(function.args)})\n--\n\n{text}"
    lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines()]
    return " \\\n".join([f"#define TEXT_{function.name}", *(f'    "{line}\\n"' for line in lines)])


source, moves, stub, header = map(pathlib.Path, sys.argv[1:])
parts, texts, window = [], [], ""
for node in ast.parse(source.read_text()).body:
    function = ast.unparse(node).replace("_WINDOW: Any", window)
    if function.startswith("def _WINDOW("):
        window = ast.unparse(node.args)
    elif function.startswith("def ") and ast.get_docstring(node):
        parts += overloads(node.name, *function.split(":\n", 1))
        texts.append(text_of(ast.parse(function).body[0]))
    else:
        parts.append(function)
for node in ast.parse(moves.read_text()).body:
    if getattr(node, "name", "").startswith("move_"):
        parts.append(f"def {node.name}({ast.unparse(node.args)}) -> _Numpy: ...")
        texts.append(text_of(node))
stub.write_text("\n".join(parts) + "\n")
header.write_text("\n".join(["/* Made from core.pyi by stub.py. */", *texts]) + "\n")
