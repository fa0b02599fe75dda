package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const chunk = 64 << 10 // bytes that are read ahead

var errTooLong = fmt.Errorf("is longer than %d MiB", maxField>>20)

// metered reads no more than a little above maxField between two refills: the
// parsers above it hold a whole field in memory, and a field may have no end.
type metered struct {
	from io.Reader
	left int
}

func (m *metered) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errTooLong
	}
	n, err := m.from.Read(p[:min(len(p), m.left)])
	m.left -= n
	return n, err
}

func (m *metered) refill() { m.left = maxField + chunk }

// input is an open file, without its byte order mark.
type input struct {
	*bufio.Reader
	*metered
	file *os.File
}

// openFile opens a regular file; one that never ends would be read for ever.
func openFile(path string) (*input, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", plain(path), cause(err))
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, not a file", plain(path))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is a pipe or a device, not a file", plain(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plain(path), cause(err))
	}
	in, err := newInput(f, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plain(path), cause(err))
	}
	return in, nil
}

func newInput(r io.Reader, f *os.File) (*input, error) {
	m := &metered{from: r}
	m.refill()
	in := &input{Reader: bufio.NewReaderSize(m, chunk), metered: m, file: f}
	mark, err := in.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")) || bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return in, errors.Join(errUTF16, in.Close())
	case bytes.Equal(mark, []byte("\ufeff")):
		_, err = in.Discard(3)
	case errors.Is(err, io.EOF):
		err = nil
	}
	return in, err
}

var errUTF16 = errors.New("is UTF-16, not UTF-8")

func (in *input) Read(p []byte) (int, error) { return in.Reader.Read(p) }

func (in *input) Close() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}

// isFolder tells whether PATH is one; what is not there is told by openFile.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// filesIn lists the files of a folder that match, in the order of their names.
func filesIn(folder string, wanted func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plain(folder), cause(err))
	}
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && wanted(e.Name()) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, nil
}

// splits are the publishers' names for ours.
var splits = map[string]string{
	"train": "train", "training": "train",
	"dev": "dev", "development": "dev", "val": "dev", "valid": "dev", "validate": "dev", "validation": "dev",
	"test": "test", "testing": "test",
}

// splitOf finds the split in a file's name, such as train_10.csv; "": none.
func splitOf(path string) string {
	words := strings.FieldsFunc(filepath.Base(path), func(c rune) bool { return !unicode.IsLetter(c) })
	for _, w := range words {
		if s, ok := splits[strings.ToLower(w)]; ok {
			return s
		}
	}
	return ""
}

// stem is a file's name without folder and ending.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// cause leaves out what a message has said: the operation and the path.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

const maxShown = 60 // characters of a source in a message

// quoted shows a piece of a source in a message, on one line and shortened.
func quoted(s string) string {
	if r := []rune(s[:min(len(s), 4*(maxShown+1))]); len(r) > maxShown {
		return strconv.Quote(string(r[:maxShown]) + "…")
	}
	return strconv.Quote(s)
}

// plain keeps a message on one line: names of files may hold anything.
func plain(s string) string {
	if utf8.ValidString(s) && !slices.ContainsFunc([]rune(s), unicode.IsControl) {
		return s
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == utf8.RuneError {
			return '?'
		}
		return c
	}, s)
}
