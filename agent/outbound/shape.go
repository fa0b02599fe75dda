package outbound

import "fmt"

// Limits on the structure of received JSON. They bound the memory for decoding: an object as short
// as {} can use hundreds of bytes.
const (
	maxContainers = 4 << 10  // number of objects and lists
	maxMembers    = 32 << 10 // number of object members
)

// CheckJSONComplexity returns an error if JSON contains more objects, lists or object members than
// any valid response needs.
func CheckJSONComplexity(json []byte) error {
	if len(json) <= maxContainers {
		return nil
	}
	containers, members := 0, 0
	for i := 0; i < len(json); i++ {
		switch json[i] {
		case '"':
			i = skipString(json, i)
		case '{', '[':
			containers++
		case ':':
			members++
		}
	}
	switch {
	case containers > maxContainers:
		return fmt.Errorf("the answer has more than %d objects and lists", maxContainers)
	case members > maxMembers:
		return fmt.Errorf("the answer has more than %d fields", maxMembers)
	}
	return nil
}

// skipString returns the index of the closing quote of the string that starts at index begin.
func skipString(json []byte, begin int) int {
	for i := begin + 1; i < len(json); i++ {
		switch json[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(json)
}
