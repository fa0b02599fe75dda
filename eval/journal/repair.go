package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"evalctl/agent/file"
)

// repair cuts damaged ends off. A result is written after its trace, so of a run that
// keeps all traces as many are there as results, unless the machine went down.
func (w *Writer) mend(warn func(string)) error {
	results, err := repair(w.results.File, w.run, warn)
	if err != nil || w.traces == nil {
		return err
	}
	traces, err := repair(w.traces.File, w.run, warn)
	if err != nil {
		return err
	}
	if w.keep != AllTraces || traces > results {
		if err := w.mendTail(); err != nil {
			return err
		}
	}
	if lost := results - traces; lost > 0 && w.keep == AllTraces {
		warn(fmt.Sprintf("%s: lacks the traces of at least %d of %d results", w.traces.Name(), lost, results))
	}
	return nil
}

// CheckWritable refuses results of an older evalctl, which can be read alone.
func CheckWritable(dir string) error {
	path := filepath.Join(dir, ResultsFile)
	f, err := file.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := readLine(bufio.NewReader(f), nil)
	if err != nil {
		return nil // who reads on finds out
	}
	if _, of, _ := withoutSum(line); of == older {
		return fmt.Errorf("%s:1: %w", path, errOlder)
	}
	return nil
}

// mendTail cuts off a last trace whose result was not written any more: the trial is
// played again, and has another.
func (w *Writer) mendTail() error {
	trace, at, err := lastLine(w.traces.File)
	if err != nil || len(trace) == 0 {
		return err
	}
	key := LineKey(trace)
	found := false
	err = eachLine(w.results.File, func(line []byte) { found = found || LineKey(line) == key })
	if err != nil || found {
		return err
	}
	return w.traces.Truncate(at)
}

// lastLine is the last line of a file, and where it begins.
func lastLine(f *os.File) (last []byte, at int64, err error) {
	size := int64(0)
	err = eachLine(f, func(line []byte) {
		last, at = append(last[:0], line...), size
		size += int64(len(line))
	})
	return last, at, err
}

// eachLine goes through a file.
func eachLine(f *os.File, see func(line []byte)) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var line []byte
	for r := bufio.NewReaderSize(f, 256<<10); ; {
		var err error
		if line, err = readLine(r, line[:0]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		see(line)
	}
}

// repair cuts off what stands behind the last good line of a file: what a kill has torn,
// or was not on the disk yet when the power went. It tells how many lines are left.
func repair(f *os.File, run mark, warn func(string)) (lines int64, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	s := inspection{run: run}
	switch err := s.read(bufio.NewReaderSize(f, 256<<10)); {
	case errors.Is(err, errOlder), errors.Is(err, errCRLF):
		return 0, fmt.Errorf("%s:%d: %w", f.Name(), s.badAt, err)
	case err != nil:
		return 0, fmt.Errorf("%s:%d: %w; to continue, delete the line (sed -i %dd %s): a trial without a result runs again", f.Name(), s.badAt, err, s.badAt, f.Name())
	}
	switch {
	case s.bad != nil:
		warn(fmt.Sprintf("%s:%d: %v: %d bytes of a damaged end are cut off", f.Name(), s.badAt, s.bad, s.size-s.good))
	case s.size > s.good:
		warn(fmt.Sprintf("%s: %d bytes of a last line that was torn are cut off", f.Name(), s.size-s.good))
	default:
		return s.lines, nil
	}
	return s.lines, f.Truncate(s.good)
}

// inspection is what is found of a file's lines.
type inspection struct {
	run   mark // that each line is of
	lines int64
	good  int64 // bytes, up to and with the last good line
	size  int64
	bad   error // of the first bad line behind them
	badAt int64
}

// read fails at a line that is bad and does not belong to a damaged end: one before a
// good line, of another run, or with another bad one behind it that is not zeros, as
// pages are that never got to the disk. Whole results may be paid for, and are not thrown away.
func (s *inspection) read(r *bufio.Reader) error {
	var line []byte
	whole := 0
	for n := int64(1); ; n++ {
		var err error
		line, err = readLine(r, line[:0])
		s.size += int64(len(line))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			s.badAt = n
			return err
		}
		zeros := bytes.IndexByte(line, 0) >= 0
		damage := s.damage(line, zeros)
		if damage != nil {
			s.note(damage, n)
			if !zeros {
				whole++
			}
		}
		if s.bad != nil && (damage == nil || whole > 1 || isForeign(damage)) {
			return s.bad
		}
		if damage != nil {
			continue
		}
		s.lines, s.good = n, s.size
	}
}

// isForeign tells what no accident does to the end of a file.
func isForeign(damage error) bool {
	return errors.Is(damage, errOther) || errors.Is(damage, errOlder) || errors.Is(damage, errCRLF)
}

func (s *inspection) note(damage error, n int64) {
	if s.bad == nil {
		s.bad, s.badAt = damage, n
	}
}

func (s *inspection) damage(line []byte, zeros bool) error {
	if zeros {
		return errZeros
	}
	_, of, err := s.run.from(line)
	if of == older {
		return errOlder
	}
	return err
}
