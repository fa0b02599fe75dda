package importer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// contentIDs derives IDs from the content of cases: their input and labels. An inserted, removed or
// moved case thus changes no other ID, and the results of two runs stay paired. A case with the same
// content as an earlier one has an ID with a number at its end.
type contentIDs struct{ seen map[uint64]int } // number of cases by hash of prefix, split and content

// id returns the ID of a case, such as csv-test-1f0c5a9be3d2.
func (c *contentIDs) id(prefix, split string, turns []turn) string {
	if split != "" {
		prefix += "-" + split
	}
	line, _ := row{id: prefix, turns: turns}.line() // an invalid case is rejected later
	sum := sha256.Sum256(line)
	key := binary.BigEndian.Uint64(sum[:8])
	if c.seen == nil {
		c.seen = map[uint64]int{}
	}
	c.seen[key]++
	id := prefix + "-" + hex.EncodeToString(sum[:6])
	if n := c.seen[key]; n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}
