"""Makes the stub of gpuenv._core, and a header with the signatures and docstrings of its functions:
stub.py SOURCE STUB HEADER

The source has each function of an array x: _X once, with the arguments of _WINDOW() where _WINDOW stands. In the stub there
are three: for an array of NumPy, for one that comes back in its own library, and for what NumPy makes an array of. `emit`
makes a fourth, whose results are not known."""

import ast
import pathlib
import re
import sys

KINDS = [("_Numpy", "_Numpy"), ("_Array", "_Array"), ("_Convertible", "_Numpy")]


def overloads(head, body):
    plain = re.sub(r"emit: .*?='min,max', ", "", head)
    heads = [plain.replace("_X", kind, 1).replace("_X", result) for kind, result in KINDS]
    if plain != head:
        heads.append(re.sub(" -> .*", " -> Any", head.replace("_X", "Any", 1).replace("='min,max'", "")))
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


source, stub, header = map(pathlib.Path, sys.argv[1:])
parts, texts, window = [], [], ""
for node in ast.parse(source.read_text()).body:
    function = ast.unparse(node).replace("_WINDOW: Any", window)
    if function.startswith("def _WINDOW("):
        window = ast.unparse(node.args)
    elif function.startswith("def ") and ast.get_docstring(node):
        parts += overloads(*function.split(":\n", 1))
        texts.append(text_of(ast.parse(function).body[0]))
    else:
        parts.append(function)
stub.write_text("\n".join(parts) + "\n")
header.write_text("\n".join(["/* Made from core.pyi by stub.py. */", *texts]) + "\n")
