package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strconv"
	"time"

	"evalctl/agent/file"
	"evalctl/eval"
)

// ErrChanged is returned by Stream if a file of the dataset has changed since Open.
var ErrChanged = errors.New("changed since it was opened")

// Filter selects cases of a dataset. The zero value selects all.
type Filter struct {
	Split string              // train, dev or test; "": all
	Tags  []string            // the case must have all these tags
	IDs   map[string]struct{} // the case must have one of these IDs; nil: any
	Limit int64               // select only the first cases, up to this number; 0 or less: no limit

	// number of cases in a random sample, in proportion to their labels and at least one for each;
	// 0 or less: no sample
	Sample int64
	Seed   uint64 // seed of the random sample
}

// count returns how many of n matching cases remain after the limit and the sample.
func (f Filter) count(n int64) int64 {
	for _, most := range []int64{f.Sample, f.Limit} {
		if most > 0 {
			n = min(n, most)
		}
	}
	return n
}

// Stream returns the selected cases in file order. It ends after an error. If the dataset has
// changed since Open, it returns ErrChanged: before the first case if the size or the modification
// time of a file differs, otherwise after the last case.
func (d *Dataset) Stream(f Filter) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		var n int64
		stopped := false // yield has returned false and must not be called again
		sample, err := d.sample(f)
		if err != nil {
			yield(eval.Case{}, err)
			return
		}
		hash, err := d.each(func(c labeled, err error) bool {
			switch {
			case err != nil:
				stopped = true
				yield(eval.Case{}, err)
			case f.picks(c.Case) && sample.has(c):
				n++
				stopped = !yield(c.Case, nil) || n == f.Limit
			}
			return !stopped
		})
		if err == nil && hash != d.Hash {
			err = fmt.Errorf("dataset %s: %w", oneLine(d.Name), ErrChanged)
		}
		if err != nil && !stopped {
			yield(eval.Case{}, err)
		}
	}
}

func (f Filter) picks(c eval.Case) bool {
	if f.Split != "" && c.Split != f.Split {
		return false
	}
	if _, named := f.IDs[c.ID]; f.IDs != nil && !named {
		return false
	}
	for _, t := range f.Tags {
		if !slices.Contains(c.Tags, t) {
			return false
		}
	}
	return true
}

// source is a file of a dataset, with its size and modification time at the first read.
type source struct {
	name  string
	open  func(name string) (fs.File, error)
	known bool
	size  int64
	time  time.Time
}

// each calls do for every line of the dataset, with a case or the error of the line, until do
// returns false. It returns the hash of all files, or "" if do has stopped it. The returned error
// is a read error.
func (d *Dataset) each(do func(labeled, error) bool) (string, error) {
	for _, c := range d.decoded {
		if !do(c, nil) {
			return "", nil
		}
	}
	if d.decoded != nil {
		return d.Hash, nil
	}
	hash := sha256.New()
	for i := range d.files {
		goOn, err := d.files[i].each(d.schema, hash, do)
		if err != nil {
			return "", fmt.Errorf("dataset %s: %w", oneLine(d.Name), err)
		}
		if !goOn {
			return "", nil
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}

func (f *source) each(s Schema, copyTo io.Writer, do func(labeled, error) bool) (goOn bool, err error) {
	opened, err := f.open(f.name)
	if err != nil {
		return false, file.UnwrapPathError(err)
	}
	defer func() {
		if closing := opened.Close(); err == nil {
			err = closing
		}
	}()
	if err := f.checkUnchanged(opened); err != nil {
		return false, err
	}
	from, shown := io.TeeReader(opened, copyTo), oneLine(f.name)+":"
	var room record
	if IsTableFile(f.name) {
		return s.eachRow(f.name, from, func(number int, line []byte, bad error) bool {
			return do(s.decodeAt(line, bad, shown+strconv.Itoa(number), &room))
		}, func(err error) bool { return do(labeled{}, err) })
	}
	r := newLineReader(from)
	for {
		line, bad, err := r.next()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, file.UnwrapPathError(err)
		}
		if !do(s.decodeAt(line, bad, shown+strconv.Itoa(r.number), &room)) {
			return false, nil
		}
	}
}

// checkUnchanged returns ErrChanged if the size or the time of the file has changed.
func (f *source) checkUnchanged(opened fs.File) error {
	info, err := opened.Stat()
	if err != nil {
		return file.UnwrapPathError(err)
	}
	if !f.known {
		f.known, f.size, f.time = true, info.Size(), info.ModTime()
	}
	if f.size != info.Size() || !f.time.Equal(info.ModTime()) {
		return ErrChanged
	}
	return nil
}

// decodeAt decodes a line and adds its position to the case or the error. bad is an error from
// reading the line; nil: none.
func (s Schema) decodeAt(line []byte, bad error, pos string, room *record) (labeled, error) {
	var c labeled
	err := bad
	if err == nil {
		c, err = s.decode(line, room)
	}
	c.Pos = pos
	if err != nil {
		err = fmt.Errorf("%s: %w", pos, err)
	}
	return c, err
}
