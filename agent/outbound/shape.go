package outbound

import "fmt"

// Limits on the structure of JSON from outside. Two bytes of JSON can become hundreds of bytes in
// memory if they begin an object.
const (
	maxContainers = 4 << 10  // objects and lists
	maxMembers    = 32 << 10 // member names
)

// LimitJSONParts rejects JSON with more parts than any answer needs.
func LimitJSONParts(json []byte) error {
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

// skipString returns the position of the closing quote of a string.
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
