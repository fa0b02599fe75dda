package eval

import (
	"fmt"
	"strconv"
	"strings"
)

// maxShards is the largest number of shards that a run can be divided into.
const maxShards = 10_000

// Shard is a part of a run that is executed separately, for example in one CI job. It contains
// every Of-th case, starting with the Index-th, in the order of suites and datasets. All conditions
// and epochs of a case are in one shard, so paired comparisons stay complete. The zero Shard is the
// whole run.
type Shard struct {
	Index int `json:"index"` // number of this shard, from 1
	Count int `json:"of"`
}

// ParseShard parses a shard in the form INDEX/OF, such as 2/8.
func ParseShard(text string) (Shard, error) {
	index, of, _ := strings.Cut(text, "/")
	i, bad := strconv.Atoi(index)
	n, worse := strconv.Atoi(of)
	if bad != nil || worse != nil || i < 1 || i > n || n > maxShards {
		return Shard{}, fmt.Errorf("%.40q is not a part of a run: expected INDEX/OF, as 2/8, with OF up to %d",
			text, maxShards)
	}
	return Shard{Index: i, Count: n}, nil
}

// IsWhole reports whether the shard is the whole run.
func (s Shard) IsWhole() bool { return s.Count <= 1 }

// String returns the shard in the form INDEX/OF.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Describe returns "shard INDEX of OF".
func (s Shard) Describe() string { return fmt.Sprintf("shard %d of %d", s.Index, s.Count) }

// Has reports whether the shard contains the case with this number. Cases are numbered from 0 in
// the order of the run.
func (s Shard) Has(number int64) bool {
	return s.IsWhole() || number%int64(s.Count) == int64(s.Index-1)
}

// CaseCount returns how many of n consecutive cases are in the shard. first is the number of the
// first one, counted from 0.
func (s Shard) CaseCount(first, n int64) int64 {
	if s.IsWhole() {
		return n
	}
	before := func(number int64) int64 { return (number + int64(s.Count-s.Index)) / int64(s.Count) }
	return before(first+n) - before(first)
}
