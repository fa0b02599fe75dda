package outbound

import "fmt"

// What JSON from outside may be made of. Two bytes of it can become hundreds in
// memory, where they begin an object: this bounds the objects, not the text.
const (
	maxContainers = 4 << 10  // objects and lists
	maxMembers    = 32 << 10 // names of objects
)

// CheckShape refuses JSON of more parts than an answer has.
func CheckShape(json []byte) error {
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

// skipString is the place of the quote that ends a string.
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
