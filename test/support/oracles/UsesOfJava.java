// What each name in the Java files below a folder means, by the compiler's own tree: a line of tabs each, columns in UTF-16.
// Libraries are not there; what depends on them is not told.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.tools.*;

public class UsesOfJava {
  static Path root;
  static Trees trees;
  static PrintStream out;

  public static void main(String[] args) throws Exception {
    root = Path.of(args[0]).toRealPath();
    out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8);
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(one -> one.toString().endsWith(".java") && !one.endsWith("module-info.java")
          && !one.endsWith("package-info.java")).sorted().collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    JavacTask task = (JavacTask) compiler.getTask(new StringWriter(), manager, one -> {},
        List.of("-proc:none", "-Xmaxerrs", "1000000", "--should-stop=ifError=FLOW", "-implicit:none"), null,
        manager.getJavaFileObjectsFromPaths(files));
    trees = Trees.instance(task);
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    task.analyze();
    for (CompilationUnitTree unit : units) new Teller(unit).scan(unit, null);
    out.flush();
  }

  static String symbolOf(Element element) {
    TreePath at = trees.getPath(element);
    // What reads a part of a record is written nowhere: it is told as the part.
    Element of = element.getEnclosingElement();
    if (at == null && element.getKind() == ElementKind.METHOD && of.getKind() == ElementKind.RECORD)
      for (Element part : of.getEnclosedElements())
        if (part.getKind() == ElementKind.FIELD && part.getSimpleName().equals(element.getSimpleName())) return symbolOf(part);
    if (at == null) return "outside " + element;
    CompilationUnitTree unit = at.getCompilationUnit();
    long start = trees.getSourcePositions().getStartPosition(unit, at.getLeaf());
    return root.relativize(Path.of(unit.getSourceFile().toUri())) + ":" + start + ":" + element.getSimpleName();
  }

  static class Teller extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final String text;
    final String file;

    Teller(CompilationUnitTree unit) throws IOException {
      this.unit = unit;
      text = unit.getSourceFile().getCharContent(true).toString();
      file = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
    }

    void tell(long at, String name, String role) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null || at < 0 || name.isEmpty() || element.getKind() == ElementKind.PACKAGE) return;
      if (element.asType().getKind() == TypeKind.ERROR) return;
      if (!text.startsWith(name, (int) at)) return;
      LineMap lines = unit.getLineMap();
      long line = lines.getLineNumber(at) - 1;
      long col = at - lines.getStartPosition(line + 1);
      out.println(file + "\t" + line + "\t" + col + "\t" + (col + name.length()) + "\t" + symbolOf(element) + "\t" + role);
    }

    long start(Tree tree) { return trees.getSourcePositions().getStartPosition(unit, tree); }
    long end(Tree tree) { return trees.getSourcePositions().getEndPosition(unit, tree); }

    /** Where the name stands as a word behind a place: of declarations the tree tells only where they begin. */
    long wordFrom(String name, long from) {
      var found = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
      return from >= 0 && found.find((int) from) ? found.start() : -1;
    }

    @Override public Void visitClass(ClassTree tree, Void none) {
      String name = tree.getSimpleName().toString();
      if (!name.isEmpty()) tell(wordFrom(name, end(tree.getModifiers()) < 0 ? start(tree) : end(tree.getModifiers())), name, "definition");
      return super.visitClass(tree, none);
    }

    @Override public Void visitMethod(MethodTree tree, Void none) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null) return super.visitMethod(tree, none);
      boolean isConstructor = tree.getReturnType() == null;
      String name = isConstructor ? element.getEnclosingElement().getSimpleName().toString() : tree.getName().toString();
      long from = isConstructor ? end(tree.getModifiers()) : end(tree.getReturnType());
      if (end(tree) > 0) tell(wordFrom(name, from < 0 ? start(tree) : from), name, "definition");
      return super.visitMethod(tree, none);
    }

    @Override public Void visitVariable(VariableTree tree, Void none) {
      String name = tree.getName().toString();
      long from = tree.getType() == null ? start(tree) : end(tree.getType());
      tell(wordFrom(name, from < 0 ? start(tree) : from), name, "definition");
      return super.visitVariable(tree, none);
    }

    @Override public Void visitIdentifier(IdentifierTree tree, Void none) {
      String name = tree.getName().toString();
      if (!name.equals("this") && !name.equals("super")) tell(start(tree), name, roleHere());
      return super.visitIdentifier(tree, none);
    }

    @Override public Void visitMemberSelect(MemberSelectTree tree, Void none) {
      String name = tree.getIdentifier().toString();
      tell(end(tree) - name.length(), name, roleHere());
      return super.visitMemberSelect(tree, none);
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void none) {
      String name = tree.getName().toString();
      if (!name.equals("<init>")) tell(end(tree) - name.length(), name, "use");
      return super.visitMemberReference(tree, none);
    }

    String roleHere() {
      for (TreePath at = getCurrentPath(); at != null; at = at.getParentPath())
        if (at.getLeaf() instanceof ImportTree) return "import";
      return "use";
    }
  }
}
