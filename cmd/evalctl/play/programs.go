package play

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/file"
	"evalctl/agent/program"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// maxPrograms and maxProgramBytes limit the program files that are hashed in one run.
const (
	maxPrograms     = 1000
	maxProgramBytes = 256 << 20 // each file is hashed up to this number of bytes
)

// programsOf returns the files that the commands of the suites name, with their hashes. The
// manifest records them, so that a resumed run or a worker can detect a changed program. dirAs maps
// a working directory to its name in the manifest.
func programsOf(suites []suite.Suite, secrets *secret.Set, dirAs func(string) string) (list []journal.Program,
	err error) {
	hashed := map[string]journal.Program{} // hashed files, by local path
	secrets = cmp.Or(secrets, &secret.Set{})
	for _, s := range suites {
		for _, v := range s.Variants {
			dir := s.WorkDir(v)
			for _, name := range namedFiles(s.SettingElements(v), dir, secrets) {
				p, ok := hashed[name.at]
				if !ok {
					p = hashProgram(name.at)
					hashed[name.at] = p
				}
				p.Dir, p.Path = dirAs(dir), secrets.Redact(name.path)
				if !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
			if len(list) > maxPrograms {
				return nil, fmt.Errorf("suite %s: its commands name more than %d files", s.Name, maxPrograms)
			}
		}
	}
	slices.SortFunc(list, func(a, b journal.Program) int {
		return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Path, b.Path))
	})
	return list, nil
}

// namedFile is a regular file that a command line names. path is the path as written there, and at
// is the local path.
type namedFile struct{ path, at string }

// namedFiles returns the regular files that commands name. dir is their working directory.
func namedFiles(elements []system.SettingElement, dir string, secrets *secret.Set) (list []namedFile) {
	for _, e := range elements {
		if e.Kind != system.ElementCommand {
			continue
		}
		words, err := program.ExpandCommand(e.Text, secrets)
		if err != nil {
			continue // reported when the command is started
		}
		if !strings.ContainsRune(words[0], filepath.Separator) {
			if at, err := exec.LookPath(words[0]); err == nil {
				list = append(list, namedFile{path: words[0], at: at})
			}
			words = words[1:]
		}
		for _, word := range words {
			for _, path := range pathsIn(word) {
				at := path
				if !filepath.IsAbs(at) {
					at = filepath.Join(dir, at)
				}
				if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
					list = append(list, namedFile{path: path, at: at})
				}
			}
		}
	}
	return list
}

// pathsIn returns the parts of a command word that may be a path: the word itself, the value of
// --flag=FILE, and the words of a nested command, as after sh -c.
func pathsIn(word string) []string {
	list := []string{word}
	if _, value, ok := strings.Cut(word, "="); ok {
		list = append(list, value)
	}
	if inner, err := program.SplitCommand(word); err == nil && len(inner) > 1 {
		list = append(list, inner...)
	}
	return slices.DeleteFunc(list, func(path string) bool { return path == "" })
}

// hashProgram returns the hash of a program file, or "unreadable", and its size.
func hashProgram(path string) (p journal.Program) {
	f, err := file.Open(path)
	if err != nil {
		return journal.Program{Hash: unreadable}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxProgramBytes)); err != nil {
		return journal.Program{Hash: unreadable}
	}
	if info, err := f.Stat(); err == nil {
		p.Bytes = info.Size()
	}
	p.Hash = hex.EncodeToString(h.Sum(nil))
	return p
}

const unreadable = "unreadable"

func localDir(dir string) string { return dir }

// checkPrograms compares the programs of a resumed run with those in its manifest. It returns the
// changes. If there are changes and allowed is false, it returns an error.
func checkPrograms(before, now []journal.Program, allowed bool) ([]journal.ChangedProgram, error) {
	changed := journal.ChangedPrograms(before, now)
	if len(changed) == 0 || allowed {
		return changed, nil
	}
	return nil, fmt.Errorf("%s: not the program that the run began with, and results of two programs do not make one run; "+
		"start a new run, or give --allow-changed to accept and record this", journal.DescribeChanges(changed))
}
