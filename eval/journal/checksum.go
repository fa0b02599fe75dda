package journal

import (
	"bytes"
	"encoding/hex"
	"errors"
	"hash/crc32"
)

// castagnoli is the table of the CRC-32C checksum (RFC 3720, section 12.1).
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The last two fields of a line are the mark of its run and the checksum of all bytes before it.
// They detect damage and lines of other runs, but not deliberate edits: an editor can recompute
// them.
const (
	markPrefix = `,"run":"`
	markSuffix = `"`
	sumPrefix  = `,"crc":"`
	sumSuffix  = `"}`

	digits   = 2 * crc32.Size // number of hexadecimal digits of a mark and of a checksum
	markSize = len(markPrefix) + digits + len(markSuffix)
	sumSize  = markSize + len(sumPrefix) + digits + len(sumSuffix)
)

// mark identifies the run that a line belongs to. It is the CRC-32C of the run's manifest hash.
type mark string

// older is the mark of lines that an older evalctl wrote. They have a checksum but no mark.
const older mark = "older"

func markOf(seal string) mark { return mark(appendSum(nil, []byte(seal))) }

var (
	errSum   = errors.New("its checksum is wrong: the line was damaged or edited")
	errNoSum = errors.New("it has no checksum: the line was damaged or edited")
	errOther = errors.New("it is of another run")
	errOlder = errors.New("it was written by an older evalctl: it can be read, but not resumed or merged")
	errCRLF  = errors.New("it ends with CR LF: something rewrote the line ends, as git does with core.autocrlf (add to .gitattributes: *.jsonl -text)")
	errZeros = errors.New("it contains zero bytes: the line was damaged")
)

func appendSum(b, of []byte) []byte {
	sum := crc32.Checksum(of, castagnoli)
	return hex.AppendEncode(b, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

// withSum adds the run's mark and a checksum to a line, which must be a non-empty JSON object.
func withSum(line []byte, of mark) []byte {
	line = append(bytes.TrimSuffix(line, []byte("}\n")), markPrefix...)
	line = append(append(line, of...), markSuffix...)
	return append(appendSum(append(line, sumPrefix...), line), sumSuffix+"\n"...)
}

// withoutSum verifies and removes the checksum of a line, and returns the mark of its run. It
// returns a line without a checksum unchanged, with an empty mark. It overwrites the bytes of the
// line.
func withoutSum(line []byte) (object []byte, run mark, err error) {
	object, crlf := bytes.CutSuffix(line, []byte("\r\n"))
	object = bytes.TrimSuffix(object, []byte("\n"))
	at := len(object) - len(sumPrefix) - digits - len(sumSuffix)
	if at < 1 || string(object[at:at+len(sumPrefix)]) != sumPrefix ||
		string(object[len(object)-len(sumSuffix):]) != sumSuffix {
		return line, "", nil
	}
	if crlf {
		return line, "", errCRLF
	}
	var right [digits]byte
	if !bytes.Equal(appendSum(right[:0], object[:at]), object[at+len(sumPrefix):len(object)-len(sumSuffix)]) {
		return line, "", errSum
	}
	if at, run = markIn(object[:at]); at < 1 {
		return line, "", nil
	}
	object[at] = '}'
	return object[:at+1], run, nil
}

// markIn returns the mark at the end of a line without checksum, and where the mark starts.
func markIn(line []byte) (at int, run mark) {
	at = len(line) - markSize
	if at < 0 || string(line[at:at+len(markPrefix)]) != markPrefix ||
		string(line[len(line)-len(markSuffix):]) != markSuffix {
		return len(line), older
	}
	return at, mark(line[at+len(markPrefix) : len(line)-len(markSuffix)])
}

// checkLine removes mark and checksum from a line and returns an error if the line belongs to
// another run. If run is "" (unknown), both are optional. Lines of an older evalctl are accepted
// for any run.
func (run mark) checkLine(line []byte) (object []byte, of mark, err error) {
	object, of, err = withoutSum(line)
	switch {
	case err != nil || run == "" || of == run || of == older:
		return object, of, err
	case of == "":
		return line, of, errNoSum
	}
	return line, of, errOther
}
