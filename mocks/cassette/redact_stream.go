package cassette

import "strings"

// spread are the pieces of a text that is another now: what is changed comes with the last
// of the pieces that it was in.
func spread(pieces []string, after string) []string {
	before := strings.Join(pieces, "")
	same, tail := common(before, after)
	last := max(len(before)-tail-1, 0) // of what is changed
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

// common are the bytes that two texts begin, and end, alike with.
func common(a, b string) (begin, end int) {
	short := min(len(a), len(b))
	for begin < short && a[begin] == b[begin] {
		begin++
	}
	for end < short-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return begin, end
}
