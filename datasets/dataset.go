// Package datasets reads labelled cases, strictly: what is not understood is
// an error with file and line, never passed over. It holds the labelled sets
// that evalctl ships. Sets are streamed: a million cases take no more memory
// than a thousand, but for their ids.
package datasets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"

	"evalctl/eval"
)

// Dataset is a set of cases in one or several JSON Lines files.
type Dataset struct {
	Name   string
	Cases  int64            // in all splits
	Hash   string           // of the files' bytes
	Counts map[string]int64 // by primary label of the last turn
	Splits map[string]int64 // "" for cases without one
	Tags   map[string]int64
	fsys   fs.FS
	files  []string // in fsys
	shown  string   // prefix of fsys in messages
	schema Schema
}

// Open reads a whole set once, to validate it: a shipped one by its name or a
// file by its path. The error names the first bad line, and how many more
// there are.
func Open(nameOrPath string, schema Schema) (*Dataset, error) {
	d, problems, err := Check(nameOrPath, schema)
	if err != nil {
		return nil, err
	}
	switch len(problems) {
	case 0:
		return d, nil
	case 1:
		return nil, problems[0]
	default:
		return nil, fmt.Errorf("%w (and %d more: evalctl dataset check)", problems[0], len(problems)-1)
	}
}

// Check reads a whole set and returns all that is wrong with its lines, up to
// maxProblems. The error says that it cannot be read at all.
func Check(nameOrPath string, schema Schema) (*Dataset, []error, error) {
	d, err := locate(nameOrPath, schema)
	if err != nil {
		return nil, nil, err
	}
	problems, err := d.validate()
	if err == nil && len(problems) == 0 && d.Cases == 0 {
		problems = append(problems, fmt.Errorf("%s: holds no case", nameOrPath))
	}
	return d, problems, err
}

// locate finds the files of a set.
func locate(nameOrPath string, schema Schema) (*Dataset, error) {
	d := &Dataset{Name: nameOrPath, schema: schema,
		Counts: map[string]int64{}, Splits: map[string]int64{}, Tags: map[string]int64{}}
	if slices.Contains(Shipped(), nameOrPath) {
		d.fsys = embedded
		files, err := fs.Glob(embedded, path.Join(nameOrPath, "*.jsonl"))
		d.files = files
		return d, err
	}
	info, err := os.Stat(nameOrPath)
	if err != nil {
		return nil, fmt.Errorf("dataset %s: no such file, and no shipped set (those are: %v)", nameOrPath, Shipped())
	}
	if info.IsDir() {
		return nil, fmt.Errorf("dataset %s: is a directory, not a file", nameOrPath)
	}
	dir, file := filepath.Split(nameOrPath)
	d.fsys, d.files, d.shown = os.DirFS(cmp.Or(dir, ".")), []string{file}, dir
	return d, nil
}

const maxProblems = 100

func (d *Dataset) validate() ([]error, error) {
	var problems []error
	ids := map[[8]byte]struct{}{} // hashes: ids can be long, and many
	hash := sha256.New()
	err := d.each(hash, func(c eval.Case, err error) bool {
		if err == nil {
			d.count(c)
			sum := sha256.Sum256([]byte(c.ID))
			id := [8]byte(sum[:8])
			if _, twice := ids[id]; twice {
				err = fmt.Errorf("%s: id %q is used twice", c.Pos, c.ID)
			}
			ids[id] = struct{}{}
		}
		if err != nil {
			problems = append(problems, err)
		}
		return len(problems) < maxProblems
	})
	d.Hash = hex.EncodeToString(hash.Sum(nil)[:8])
	return problems, err
}

func (d *Dataset) count(c eval.Case) {
	d.Cases++
	d.Splits[c.Split]++
	d.Counts[primary(c, d.schema.Label)]++
	for _, t := range c.Tags {
		d.Tags[t]++
	}
}

// primary is the label of the case's last turn that has one.
func primary(c eval.Case, field string) string {
	for _, s := range slices.Backward(c.Turns) {
		var want map[string]json.RawMessage
		var label eval.OneOf
		if json.Unmarshal(s.Want, &want) == nil && json.Unmarshal(want[field], &label) == nil {
			return label.Primary()
		}
	}
	return ""
}

// Filter picks cases; zero fields pick all.
type Filter struct {
	Split string
	Tags  []string // all of them
	Limit int64
}

// Stream reads the cases that f picks, in file order.
func (d *Dataset) Stream(f Filter) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		var n int64
		err := d.each(io.Discard, func(c eval.Case, err error) bool {
			if err != nil {
				yield(c, err)
				return false
			}
			if !f.picks(c) {
				return true
			}
			n++
			return yield(c, nil) && (f.Limit == 0 || n < f.Limit)
		})
		if err != nil {
			yield(eval.Case{}, err)
		}
	}
}

func (f Filter) picks(c eval.Case) bool {
	if f.Split != "" && c.Split != f.Split {
		return false
	}
	for _, t := range f.Tags {
		if !slices.Contains(c.Tags, t) {
			return false
		}
	}
	return true
}

// each decodes line after line until do says stop. The returned error is of
// reading; what is wrong with a line goes to do.
func (d *Dataset) each(copyTo io.Writer, do func(eval.Case, error) bool) error {
	for _, name := range d.files {
		f, err := d.fsys.Open(name)
		if err != nil {
			return fmt.Errorf("dataset %s: %w", d.Name, err)
		}
		goOn := true
		for line, err := range lines(io.TeeReader(f, copyTo), d.shown+name) {
			c := eval.Case{Pos: line.pos}
			if err == nil {
				c, err = d.schema.decode(line)
			}
			if goOn = do(c, err); !goOn {
				break
			}
		}
		if err := f.Close(); err != nil {
			return fmt.Errorf("dataset %s: %w", d.Name, err)
		}
		if !goOn {
			return nil
		}
	}
	return nil
}
