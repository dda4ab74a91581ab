// Compiles a program by Roslyn and runs it: arguments are its file, and what it is given. The compiler of mono, which compiles
// this one, does not know what the library of today's .NET is written in.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

public static class RunCSharp {
  public static int Main(string[] args) {
    var folder = new FileInfo(typeof(object).Assembly.Location).DirectoryName;
    var library = new List<MetadataReference>();
    foreach (var pattern in new[] { "System*.dll", "netstandard.dll", "Microsoft.CodeAnalysis*.dll" })
      foreach (var file in Directory.GetFiles(folder, pattern)) library.Add(MetadataReference.CreateFromFile(file));
    var tree = CSharpSyntaxTree.ParseText(File.ReadAllText(args[0]));
    var settings = new CSharpCompilationOptions(OutputKind.ConsoleApplication);
    var compiled = new MemoryStream();
    var result = CSharpCompilation.Create("judge", new[] { tree }, library, settings).Emit(compiled);
    if (!result.Success) throw new Exception(result.Diagnostics.First(one => one.Severity == DiagnosticSeverity.Error).ToString());
    return (int)Assembly.Load(compiled.ToArray()).EntryPoint.Invoke(null, new object[] { args.Skip(1).ToArray() });
  }
}
