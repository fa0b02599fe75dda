package session

import (
	"slices"
	"strings"

	"evalctl/agent"
)

// newest are the messages that the count lets stay. They share h's array.
func (s *Store) newest(h []agent.Message) []agent.Message {
	return h[max(0, len(h)-s.cfg.Messages):]
}

// bounded copies what is to be remembered of h and tells its bytes: nobody
// else has the array, and it does not keep the dropped messages alive.
func (s *Store) bounded(h []agent.Message) (list []agent.Message, size int64) {
	h = s.newest(h)
	list = make([]agent.Message, 0, len(h))
	for _, m := range slices.Backward(h) {
		m.Images, m.GeneratedImageURL = addresses(m.Images), address(m.GeneratedImageURL)
		n := bytes(m)
		if n > s.cfg.Bytes || m.IsEmpty() {
			continue // it would drive out all the others and still not fit, or has shown nothing but data
		}
		if size+n > s.cfg.Bytes {
			break
		}
		list = append(list, m)
		size += n
	}
	slices.Reverse(list)
	return list, size
}

// addresses are the pictures that did not come as data, in an array of their
// own: one shared with the dropped would keep them alive.
func addresses(pictures []string) (list []string) {
	for _, p := range pictures {
		if address(p) != "" {
			list = append(list, p)
		}
	}
	return list
}

// address is the picture's, "" if it came as data.
func address(picture string) string {
	const scheme = "data:"
	if len(picture) >= len(scheme) && strings.EqualFold(picture[:len(scheme)], scheme) {
		return ""
	}
	return picture
}

// bytes counts the text and the addresses of a message.
func bytes(m agent.Message) int64 {
	n := len(m.Role) + len(m.Content) + len(m.GeneratedImageURL)
	for _, i := range m.Images {
		n += len(i)
	}
	return int64(n)
}
