package journal

import (
	"bytes"
	"encoding/hex"
	"errors"
	"hash/crc32"
)

// castagnoli is the polynomial of CRC-32C (RFC 3720, section 12.1), which processors know.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The last field of a line is the checksum of all bytes before it.
const (
	sumLead = `,"crc":"`
	sumEnd  = `"}`
	sumSize = len(sumLead) + 2*crc32.Size + len(sumEnd)
)

var (
	errSum   = errors.New("its checksum is wrong: the line was damaged or edited")
	errNoSum = errors.New("it has no checksum, as every line of this run was given: the line was damaged or edited")
	errZeros = errors.New("it holds zero bytes, which no run writes: the line was damaged")
)

// withSum adds its checksum to a line, an object that has a field.
func withSum(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("}\n"))
	sum := crc32.Checksum(line, castagnoli)
	line = append(line, sumLead...)
	line = hex.AppendEncode(line, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	return append(line, sumEnd+"\n"...)
}

// withoutSum is a line without its checksum, which is right. One that has none is as it
// was, unless there must be one. It takes the line over.
func withoutSum(line []byte, must bool) ([]byte, error) {
	object := bytes.TrimSuffix(line, []byte("\n"))
	at := len(object) - sumSize
	if at < 1 || string(object[at:at+len(sumLead)]) != sumLead || string(object[len(object)-len(sumEnd):]) != sumEnd {
		if must {
			return line, errNoSum
		}
		return line, nil
	}
	var sum [crc32.Size]byte
	_, err := hex.Decode(sum[:], object[at+len(sumLead):len(object)-len(sumEnd)])
	if is := crc32.Checksum(object[:at], castagnoli); err != nil || sum != [crc32.Size]byte{byte(is >> 24), byte(is >> 16), byte(is >> 8), byte(is)} {
		return line, errSum
	}
	object[at] = '}'
	return object[:at+1], nil
}
