# What each name in the C or C++ files below a folder means, by libclang: a line of tabs each, columns in bytes.
# Arguments: the folder, the language, and what the compiler is given. Headers that are not there leave holes, which are not told.
import os
import re
import sys
from ctypes import byref, c_uint

sys.path.append("/usr/lib/python3/dist-packages")
from clang.cindex import CursorKind, File, Index, LinkageKind, c_object_p, conf  # noqa: E402

root = os.path.realpath(sys.argv[1])
language = sys.argv[2]
endings = {"c": (".c",), "cpp": (".cc", ".cpp", ".cxx")}[language]
told = set()
lines = {}
# Where what all files know is defined.
external = {}
conf.lib.clang_getFileLocation.argtypes = conf.lib.clang_getInstantiationLocation.argtypes
named = {
    CursorKind.DECL_REF_EXPR,
    CursorKind.MEMBER_REF_EXPR,
    CursorKind.TYPE_REF,
    CursorKind.TEMPLATE_REF,
    CursorKind.MEMBER_REF,
}


def own(file):
    return file is not None and os.path.realpath(file.name).startswith(root + os.sep)


def symbol_of(cursor):
    # What C knows outside of a file is what the file itself defines, or else what the only file does that defines it: several
    # programs in one folder have each their own. The rest is where it is declared first: so members of what a template makes are
    # those of the template.
    first = cursor.canonical
    # What another name of a template stands for is told where that name is written, and not where the template begins.
    if first.kind == CursorKind.TYPE_ALIAS_TEMPLATE_DECL:
        first = next((one for one in first.get_children() if one.kind == CursorKind.TYPE_ALIAS_DECL), first)
    if language == "c" and cursor.linkage == LinkageKind.EXTERNAL and cursor.kind != CursorKind.FIELD_DECL:
        first = cursor.get_definition()
        if first is None or not own(first.location.file):
            return f"extern {cursor.spelling}"
        external.setdefault(f"extern {cursor.spelling}", set()).add(place_of(first))
    return place_of(first) if own(first.location.file) else f"outside {cursor.spelling}"


def place_of(cursor):
    path = os.path.relpath(os.path.realpath(cursor.location.file.name), root)
    return f"{path}:{cursor.location.offset} {cursor.spelling}"


def lines_of(file):
    if file not in lines:
        with open(os.path.join(root, file), encoding="latin-1") as text:
            lines[file] = text.read().split("\n")
    return lines[file]


def tell(cursor, name, symbol, role):
    # Where it is written: what a macro is given stands where the macro is called.
    file, line, col, offset = c_object_p(), c_uint(), c_uint(), c_uint()
    place = cursor.location
    conf.lib.clang_getFileLocation(place, byref(file), byref(line), byref(col), byref(offset))
    path = File(file).name
    path = os.path.relpath(os.path.realpath(path), root)
    row, start = line.value - 1, col.value - 1
    # An operator is no name, nor is what a macro makes, whose own name may begin with it.
    if path.startswith("..") or not re.match(re.escape(name) + r"(?!\w)", lines_of(path)[row][start:]):
        return
    told.add((path, row, start, start + len(name), symbol, role))


def visit(cursor):
    for child in cursor.get_children():
        location = child.location
        if location.file is not None and not own(location.file):
            continue
        if location.file is not None:
            kind = child.kind
            if kind in named:
                target = child.referenced
                # Of several that a call may mean nothing is said.
                if target is not None and target.spelling and target.kind != CursorKind.OVERLOADED_DECL_REF:
                    name = target.spelling.split("<")[0]
                    tell(child, name, symbol_of(target), "use")
            elif kind.is_declaration() and child.spelling and kind != CursorKind.NAMESPACE:
                role = "definition" if child.is_definition() else "declaration"
                name = child.spelling.split("<")[0]
                tell(child, name, symbol_of(child), role)
        visit(child)


sys.setrecursionlimit(20000)
index = Index.create()
for folder, folders, files in os.walk(root):
    folders[:] = sorted(one for one in folders if not one.startswith("."))
    for name in sorted(files):
        if name.endswith(endings):
            try:
                unit = index.parse(os.path.join(folder, name), args=sys.argv[3:])
            except Exception as fault:  # A file that the compiler does not take says nothing.
                print(f"{name}: {fault}", file=sys.stderr)
                continue
            visit(unit.cursor)
defined = {one[4] for one in told if one[5] == "definition"}
for file, line, col, end, symbol, role in sorted(told):
    known = external.get(symbol, {symbol})
    if len(known) > 1:
        continue
    (symbol,) = known
    # A prototype is not the definition; what this folder only declares is where it is declared.
    if role == "declaration":
        if symbol in defined:
            continue
        role = "definition"
    print(f"{file}\t{line}\t{col}\t{end}\t{symbol}\t{role}")
