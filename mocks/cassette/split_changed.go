package cassette

import "strings"

// splitChanged splits a redacted text at the boundaries of the original pieces. The part that
// differs goes to the last piece that it overlaps.
func splitChanged(pieces []string, after string) []string {
	before := strings.Join(pieces, "")
	same, tail := commonAffixes(before, after)
	last := max(len(before)-tail-1, 0) // index of the last changed byte
	list := make([]string, len(pieces))
	begin := 0
	for i, piece := range pieces {
		end := begin + len(piece)
		list[i] = before[begin:min(max(same, begin), end)]
		if begin <= last && last < end {
			list[i] += after[same : len(after)-tail]
		}
		list[i] += before[min(max(len(before)-tail, begin), end):end]
		begin = end
	}
	return list
}

// commonAffixes returns the lengths, in bytes, of the common prefix and the common suffix of two
// texts.
func commonAffixes(a, b string) (begin, end int) {
	short := min(len(a), len(b))
	for begin < short && a[begin] == b[begin] {
		begin++
	}
	for end < short-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return begin, end
}
