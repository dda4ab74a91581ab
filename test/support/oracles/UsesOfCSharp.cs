// What each name in the C# files below a folder means, by Roslyn: a line of tabs each, columns in UTF-16.
// All files are one program, whatever projects they are of. Packages are not there; what depends on them is not told.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

public static class UsesOfCSharp {
  static string root;
  static StreamWriter told;

  /// <summary>What a project of the present kind has in every file without saying so.</summary>
  const string everywhere = @"global using global::System; global using global::System.Collections.Generic; global using global::System.IO;
global using global::System.Linq; global using global::System.Threading; global using global::System.Threading.Tasks;
global using global::System.Net.Http;";

  public static int Main(string[] args) {
    root = Path.GetFullPath(args[0]) + "/";
    told = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    var symbols = new List<string> { "NET", "NETCOREAPP", "TRACE", "DEBUG" };
    foreach (var version in new[] { 5, 6, 7, 8, 9 }) symbols.Add("NET" + version + "_0_OR_GREATER");
    var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.None, SourceCodeKind.Regular, symbols);
    var trees = new List<SyntaxTree>();
    foreach (var file in FilesBelow(root)) trees.Add(CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, file, Encoding.UTF8));
    var all = new List<SyntaxTree>(trees);
    all.Add(CSharpSyntaxTree.ParseText(everywhere, options, "", Encoding.UTF8));
    var library = new List<MetadataReference>();
    foreach (var file in Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location), "System*.dll"))
      library.Add(MetadataReference.CreateFromFile(file));
    library.Add(MetadataReference.CreateFromFile(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location), "netstandard.dll")));
    var settings = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true);
    var program = CSharpCompilation.Create("judged", all, library, settings);
    foreach (var tree in trees) {
      var model = program.GetSemanticModel(tree);
      foreach (var node in tree.GetRoot().DescendantNodes()) {
        var name = node as SimpleNameSyntax;
        if (name != null) Use(model, name);
        else Definition(model, node);
      }
    }
    told.Flush();
    return 0;
  }

  static IEnumerable<string> FilesBelow(string folder) {
    foreach (var file in Directory.GetFiles(folder, "*.cs").OrderBy(one => one, StringComparer.Ordinal)) yield return file;
    foreach (var below in Directory.GetDirectories(folder).OrderBy(one => one, StringComparer.Ordinal)) {
      var name = Path.GetFileName(below);
      if (name.StartsWith(".") || name == "bin" || name == "obj") continue;
      foreach (var file in FilesBelow(below)) yield return file;
    }
  }

  static void Use(SemanticModel model, SimpleNameSyntax name) {
    var text = name.Identifier.ValueText;
    if (text.Length == 0 || text == "_" || name.Ancestors().OfType<UsingDirectiveSyntax>().Any()) return;
    var type = name as TypeSyntax;
    if (type != null && (type.IsVar || type.IsNotNull || type.IsUnmanaged)) return;
    // A name that stands for another one says nothing of where that one is written.
    if (name is IdentifierNameSyntax && model.GetAliasInfo((IdentifierNameSyntax)name) != null) return;
    var symbol = model.GetSymbolInfo(name).Symbol;
    if (symbol != null) Tell(name.Identifier, symbol, "use");
  }

  static void Definition(SemanticModel model, SyntaxNode node) {
    SyntaxToken name;
    if (node is BaseTypeDeclarationSyntax) name = ((BaseTypeDeclarationSyntax)node).Identifier;
    else if (node is DelegateDeclarationSyntax) name = ((DelegateDeclarationSyntax)node).Identifier;
    else if (node is MethodDeclarationSyntax) name = ((MethodDeclarationSyntax)node).Identifier;
    else if (node is PropertyDeclarationSyntax) name = ((PropertyDeclarationSyntax)node).Identifier;
    else if (node is EventDeclarationSyntax) name = ((EventDeclarationSyntax)node).Identifier;
    else if (node is EnumMemberDeclarationSyntax) name = ((EnumMemberDeclarationSyntax)node).Identifier;
    else if (node is LocalFunctionStatementSyntax) name = ((LocalFunctionStatementSyntax)node).Identifier;
    else if (node is VariableDeclaratorSyntax) name = ((VariableDeclaratorSyntax)node).Identifier;
    else if (node is SingleVariableDesignationSyntax) name = ((SingleVariableDesignationSyntax)node).Identifier;
    else if (node is ParameterSyntax) name = ((ParameterSyntax)node).Identifier;
    else if (node is TypeParameterSyntax) name = ((TypeParameterSyntax)node).Identifier;
    else if (node is ForEachStatementSyntax) name = ((ForEachStatementSyntax)node).Identifier;
    else return;
    var symbol = model.GetDeclaredSymbol(node);
    if (symbol == null || name.ValueText.Length == 0) return;
    // What a record is made of is a parameter that is a property of it too.
    var property = symbol as IParameterSymbol == null || symbol.ContainingSymbol.ContainingType == null
      ? null
      : symbol.ContainingSymbol.ContainingType.GetMembers(symbol.Name).OfType<IPropertySymbol>().FirstOrDefault(one => one.Locations.Contains(name.GetLocation()));
    // What is written in parts is told as the first of them.
    if (symbol is INamedTypeSymbol && symbol.Locations.Length > 1 && !symbol.Locations[0].Equals(name.GetLocation())) return;
    Tell(name, property ?? symbol, "definition");
  }

  static void Tell(SyntaxToken name, ISymbol symbol, string role) {
    if (symbol is INamespaceSymbol || symbol is IErrorTypeSymbol || symbol is ILabelSymbol) return;
    var method = symbol as IMethodSymbol;
    if (method != null) {
      // What makes objects of a type is told as the type.
      if (method.MethodKind == MethodKind.Constructor) symbol = method.ContainingType;
      else symbol = method.ReducedFrom ?? method;
    }
    symbol = symbol.OriginalDefinition;
    method = symbol as IMethodSymbol;
    if (method != null) symbol = method.PartialDefinitionPart ?? method;
    var span = name.GetLocation().GetLineSpan();
    var at = span.StartLinePosition;
    told.WriteLine(string.Join("\t", span.Path.Substring(root.Length), at.Line, at.Character, span.EndLinePosition.Character, Place(symbol), role));
  }

  static string Place(ISymbol symbol) {
    var at = symbol.Locations.FirstOrDefault(one => one.IsInSource);
    if (at == null) return "outside " + symbol.ToDisplayString().Replace('\t', ' ');
    return at.SourceTree.FilePath.Substring(root.Length) + ":" + at.SourceSpan.Start + ":" + symbol.Name;
  }
}
