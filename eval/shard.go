package eval

import (
	"fmt"
	"strconv"
	"strings"
)

// maxShards is how many parts a run is split into at most.
const maxShards = 10_000

// Shard is a part of a run that is played by itself: of all cases, in the order of the
// suites and of their datasets, every Of-th, from the Index-th on. A case stays whole, in
// all of its cells and epochs: what is compared case by case stays together. The zero
// Shard is the whole run.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
}

// ParseShard reads INDEX/OF.
func ParseShard(text string) (Shard, error) {
	index, of, _ := strings.Cut(text, "/")
	i, bad := strconv.Atoi(index)
	n, worse := strconv.Atoi(of)
	if bad != nil || worse != nil || i < 1 || i > n || n > maxShards {
		return Shard{}, fmt.Errorf("%.40q is no part of a run: want INDEX/OF, as 2/8, with OF up to %d", text, maxShards)
	}
	return Shard{Index: i, Of: n}, nil
}

// IsWhole tells that nothing is left out.
func (s Shard) IsWhole() bool { return s.Of <= 1 }

// String is INDEX/OF.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Describe are INDEX of OF.
func (s Shard) Describe() string { return fmt.Sprintf("shard %d of %d", s.Index, s.Of) }

// Has tells whether the case with this number, from 0, is in the shard.
func (s Shard) Has(number int64) bool {
	return s.IsWhole() || number%int64(s.Of) == int64(s.Index-1)
}

// CaseCount is how many cases of n, the first of which has this number, are in the shard.
func (s Shard) CaseCount(first, n int64) int64 {
	if s.IsWhole() {
		return n
	}
	before := func(number int64) int64 { return (number + int64(s.Of-s.Index)) / int64(s.Of) }
	return before(first+n) - before(first)
}
