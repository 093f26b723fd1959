"""The docstrings of gpuenv/_core.pyi as macros of C: texts.py STUB HEADER"""

import ast
import pathlib
import sys

lines = ["/* Made from _core.pyi by texts.py. */"]
for node in ast.parse(pathlib.Path(sys.argv[1]).read_text()).body:
    text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
    if text is None:
        continue
    lines.append(f"#define TEXT_{node.name}")
    for line in text.splitlines():
        escaped = line.replace("\\", "\\\\").replace('"', '\\"')
        lines[-1] += " \\"
        lines.append(f'    "{escaped}\\n"')
pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n")
