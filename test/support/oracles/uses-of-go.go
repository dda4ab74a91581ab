// What each name in the Go files of a module means, by go/types: a line of tabs each, columns in bytes.
// Packages from outside of the module and of the standard library are not there; what depends on them is not told.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

var root, module string
var fset = token.NewFileSet()
var standard = importer.ForCompiler(fset, "source", nil)
var known = map[string]*types.Package{}
var out = bufio.NewWriter(os.Stdout)

type byPath struct{}

func (byPath) Import(path string) (*types.Package, error) {
	if path == module || strings.HasPrefix(path, module+"/") {
		if one, ok := known[path]; ok {
			return one, nil
		}
		known[path] = types.NewPackage(path, filepath.Base(path))
		known[path] = check(path, filesOf(path, func(name string, _ string) bool { return !strings.HasSuffix(name, "_test.go") }), nil)
		return known[path], nil
	}
	if first := strings.Split(path, "/")[0]; strings.Contains(first, ".") {
		return nil, fmt.Errorf("%s is outside", path)
	}
	return standard.Import(path)
}

func filesOf(path string, isWanted func(name string, packageName string) bool) []*ast.File {
	folder := filepath.Join(root, strings.TrimPrefix(path, module))
	entries, _ := os.ReadDir(folder)
	files := []*ast.File{}
	for _, entry := range entries {
		if entry.IsDir() || !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		if matches, err := build.Default.MatchFile(folder, entry.Name()); err != nil || !matches {
			continue
		}
		file, _ := parsed(filepath.Join(folder, entry.Name()))
		if file != nil && isWanted(entry.Name(), file.Name.Name) {
			files = append(files, file)
		}
	}
	return files
}

var trees = map[string]*ast.File{}

func parsed(name string) (*ast.File, error) {
	if file, ok := trees[name]; ok {
		return file, nil
	}
	file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	trees[name] = file
	return file, err
}

func check(path string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: byPath{}, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, fset, files, info)
	return checked
}

func place(at token.Pos) (string, bool) {
	position := fset.Position(at)
	file, err := filepath.Rel(root, position.Filename)
	return fmt.Sprintf("%s:%d:%d", file, position.Line, position.Column), err == nil && !strings.HasPrefix(file, "..")
}

func tell(name *ast.Ident, object types.Object, role string) {
	if object == nil || name.Name == "_" {
		return
	}
	if _, ok := object.(*types.PkgName); ok {
		return
	}
	symbol, isOwn := place(object.Pos())
	if !object.Pos().IsValid() || !isOwn {
		symbol = "outside " + object.String()
	}
	position := fset.Position(name.Pos())
	file, _ := filepath.Rel(root, position.Filename)
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%s\t%s\n", file, position.Line-1, position.Column-1, position.Column-1+len(name.Name), symbol, role)
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	module = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`).FindStringSubmatch(string(text))[1]
	folders := map[string]bool{}
	_ = filepath.Walk(root, func(name string, info os.FileInfo, err error) error {
		if err != nil {
			return nil
		}
		if info.IsDir() && name != root {
			if base := info.Name(); strings.HasPrefix(base, ".") || base == "vendor" || base == "testdata" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		if strings.HasSuffix(name, ".go") {
			folders[filepath.Dir(name)] = true
		}
		return nil
	})
	names := []string{}
	for folder := range folders {
		names = append(names, folder)
	}
	sort.Strings(names)
	for _, folder := range names {
		below, _ := filepath.Rel(root, folder)
		path := module
		if below != "." {
			path = module + "/" + filepath.ToSlash(below)
		}
		own := func(name string, packageName string) bool { return !strings.HasSuffix(packageName, "_test") }
		outer := func(name string, packageName string) bool { return strings.HasSuffix(packageName, "_test") }
		for _, isWanted := range []func(string, string) bool{own, outer} {
			files := filesOf(path, isWanted)
			info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
			check(path, files, info)
			for name, object := range info.Defs {
				tell(name, object, "definition")
			}
			for name, object := range info.Uses {
				tell(name, object, "use")
			}
		}
	}
	out.Flush()
}
