package scholar

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"evalctl/agent/tokens"
)

//go:embed papers/*.md
var shippedPapers embed.FS

// Limits on a directory of papers.
const (
	maxPapers     = 5000
	maxPaper      = 8 << 20   // bytes
	maxAllPapers  = 256 << 20 // bytes
	longestPaper  = 100       // characters of an id
	papersDataset = "papers"
)

// library are the papers that a user may choose from.
type library struct {
	papers  map[string]*document
	ids     []string // in order
	version string   // changes with the content of the papers
}

// document is a paper of the library, or an attached document.
type document struct {
	ID, Title, Text string // Text is cleaned by readable and may be empty
	Attached        bool

	count func() int // tokens of Text
}

func newDocument(id, raw string) *document {
	d := &document{ID: id, Text: readable(raw)}
	d.Title = titleOf(d.Text, id)
	d.count = sync.OnceValue(func() int { return tokens.Count(d.Text) })
	return d
}

// tokens is the token count of the text, computed once.
func (d *document) tokens() int { return d.count() }

var heading = regexp.MustCompile(`(?m)^#[ \t]+(.+)$`)

// titleOf is the first heading of a text, otherwise its id.
func titleOf(text, id string) string {
	const most = 200
	if m := heading.FindStringSubmatch(text[:min(len(text), 4<<10)]); m != nil {
		return cmp.Or(shortened(strings.TrimSpace(m[1]), most), id)
	}
	return id
}

// openLibrary reads the papers of a directory; "": the built-in papers, which are read once.
func openLibrary(folder string) (*library, error) {
	if folder == "" {
		return shippedLibrary()
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("papers: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("papers: %s is not a folder", folder)
	}
	root, err := os.OpenRoot(folder) // symbolic links cannot leave the directory
	if err != nil {
		return nil, fmt.Errorf("papers: %w", err)
	}
	defer root.Close() // read-only
	l, err := readLibrary(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("papers: %s: %w", folder, err)
	}
	return l, nil
}

var shippedLibrary = sync.OnceValues(func() (*library, error) { return readLibrary(shippedPapers, "papers") })

// readLibrary reads the .md and .txt files of a directory and ignores others. Errors name the file.
func readLibrary(fsys fs.FS, folder string) (*library, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, err
	}
	l, sum, size := &library{papers: map[string]*document{}}, sha256.New(), 0
	for _, e := range entries {
		if e.IsDir() || !slices.Contains([]string{".md", ".txt"}, path.Ext(e.Name())) {
			continue
		}
		raw, err := readPaper(fsys, path.Join(folder, e.Name()))
		if err == nil {
			err = l.add(strings.TrimSuffix(e.Name(), path.Ext(e.Name())), string(raw))
		}
		if size += len(raw); err == nil && size > maxAllPapers {
			err = fmt.Errorf("the papers have more than %d MB", maxAllPapers>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		fmt.Fprintf(sum, "%q %q\n", e.Name(), raw)
	}
	if len(l.ids) == 0 {
		return nil, errors.New("holds no paper: no .md or .txt file")
	}
	l.version = hex.EncodeToString(sum.Sum(nil)[:8])
	return l, nil
}

// readPaper reads a file within the size limit. It does not open pipes, which would block.
func readPaper(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only
	raw, err := io.ReadAll(io.LimitReader(f, maxPaper+1))
	if err == nil && len(raw) > maxPaper {
		err = fmt.Errorf("has more than %d MB", maxPaper>>20)
	}
	return raw, err
}

func (l *library) add(id, raw string) error {
	if err := checkID(id); err != nil {
		return err
	}
	d := newDocument(id, raw)
	switch {
	case d.Text == "":
		return errors.New("holds nothing that can be read")
	case l.papers[id] != nil:
		return fmt.Errorf("the id %q is taken by another file", id)
	case len(l.ids) == maxPapers:
		return fmt.Errorf("there are more than %d papers", maxPapers)
	}
	l.papers[id], l.ids = d, append(l.ids, id)
	return nil
}
