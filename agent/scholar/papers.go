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

	"evalctl/agent/file"
	"evalctl/agent/tokens"
)

//go:embed papers/*.md
var shippedPapers embed.FS

// Limits on a directory of papers, and the dataset that contains the papers.
const (
	maxPapers     = 5000
	maxPaper      = 8 << 20   // bytes of one paper
	maxAllPapers  = 256 << 20 // bytes of all papers together
	longestPaper  = 100       // characters of a paper's ID
	papersDataset = "papers"
)

// library contains the papers that a user can choose.
type library struct {
	papers  map[string]*document
	ids     []string // IDs of the papers, in order
	version string   // hash of the papers' content
	skipped []string // files that are not papers, each with the reason
}

// document is a paper of the library, a document that is attached to a turn, or one that only the retrieval service has.
type document struct {
	ID, Title, Text string // Text is cleaned by the function readable; it may be empty
	IsAttachment    bool   // attached to a turn, not a paper of the library
	IsRemote        bool   // only the retrieval service has the text; Text is empty

	count func() int // returns the number of tokens of Text
}

func newDocument(id, raw string) *document {
	d := &document{ID: id, Text: readable(raw)}
	d.Title = titleOf(d.Text, id)
	d.count = sync.OnceValue(func() int { return tokens.Count(d.Text) })
	return d
}

// isReadable reports whether the document has text.
func (d *document) isReadable() bool { return d.Text != "" || d.IsRemote }

// tokens returns the number of tokens of the text. It is computed only once.
func (d *document) tokens() int { return d.count() }

var heading = regexp.MustCompile(`(?m)^#[ \t]+(.+)$`)

// titleOf returns the first heading of a text, or the ID if there is none.
func titleOf(text, id string) string {
	const most = 200
	if m := heading.FindStringSubmatch(text[:min(len(text), 4<<10)]); m != nil {
		return cmp.Or(shortened(strings.TrimSpace(m[1]), most), id)
	}
	return id
}

// openLibrary reads the papers in a directory. If folder is "", it returns the built-in papers.
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
	root, err := os.OpenRoot(folder) // symbolic links cannot lead out of the directory
	if err != nil {
		return nil, fmt.Errorf("papers: %w", err)
	}
	defer root.Close() // opened for reading only, so Close cannot lose data
	l, err := readLibrary(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("papers: %s: %w", folder, err)
	}
	return l, nil
}

var shippedLibrary = sync.OnceValues(func() (*library, error) { return readLibrary(shippedPapers, "papers") })

// readLibrary reads the .md and .txt files in a directory. Files that cannot be read, or have no
// text, an invalid ID or the ID of another file, are skipped and listed in the library. Too many or
// too large papers are an error.
func readLibrary(fsys fs.FS, folder string) (*library, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, err
	}
	l, sum, size := &library{papers: map[string]*document{}}, sha256.New(), 0
	files := map[string]string{} // name of each paper's file, by ID
	for _, e := range entries {
		if e.IsDir() || !slices.Contains([]string{".md", ".txt"}, path.Ext(e.Name())) {
			continue
		}
		text, id := "", strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		raw, err := readPaper(fsys, path.Join(folder, e.Name()))
		if size += len(raw); err == nil && len(raw) <= maxPaper {
			text, err = paperText(raw)
		}
		if err == nil {
			err = checkID(id)
		}
		if err == nil && files[id] != "" {
			err = fmt.Errorf("has the same ID as %s", files[id])
		}
		if err != nil {
			l.skipped = append(l.skipped, fmt.Sprintf("%s: %v", e.Name(), file.UnwrapPathError(err)))
			continue
		}
		switch {
		case len(raw) > maxPaper:
			err = fmt.Errorf("has more than %d MB", maxPaper>>20)
		case size > maxAllPapers:
			err = fmt.Errorf("the papers have more than %d MB", maxAllPapers>>20)
		case len(l.ids) == maxPapers:
			err = fmt.Errorf("there are more than %d papers", maxPapers)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		files[id], l.papers[id], l.ids = e.Name(), newDocument(id, text), append(l.ids, id)
		fmt.Fprintf(sum, "%q %q\n", e.Name(), raw)
	}
	if len(l.ids) == 0 {
		return nil, errors.New("holds no paper: no .md or .txt file with text" + l.skippedNote("; skipped: "))
	}
	l.version = hex.EncodeToString(sum.Sum(nil)[:8])
	return l, nil
}

// readPaper reads a paper, at most one byte more than maxPaper. It refuses pipes, because opening
// one would block.
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
	defer f.Close() // opened for reading only, so Close cannot lose data
	return io.ReadAll(io.LimitReader(f, maxPaper+1))
}

// paperText decodes the text of a paper. A text without letters and numbers is an error.
func paperText(raw []byte) (string, error) {
	text, err := file.DecodeText(raw)
	if err == nil && readable(text) == "" {
		err = errors.New("has no text")
	}
	return text, err
}

// skippedNote lists the first skipped files after these words; "" if no file was skipped.
func (l *library) skippedNote(words string) string {
	const most = 10
	if len(l.skipped) == 0 {
		return ""
	}
	note := words + strings.Join(l.skipped[:min(len(l.skipped), most)], "; ")
	if more := len(l.skipped) - most; more > 0 {
		note += fmt.Sprintf("; and %d more", more)
	}
	return note
}
