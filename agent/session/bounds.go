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

// bounded copies what is to be remembered of h, with so many bytes of pictures
// that came as data, and tells its bytes: nobody else has the array, and it does
// not keep the dropped messages alive.
func (s *Store) bounded(h []agent.Message, images int64) (list []agent.Message, size int64) {
	h = s.newest(h)
	list = make([]agent.Message, 0, len(h))
	room := images
	for _, m := range slices.Backward(h) {
		if m.IsEmpty() {
			continue
		}
		text, data := bytes(m)
		if data > room {
			m, data = without(m), 0
		}
		if text > s.cfg.Bytes {
			continue // it would drive out all the others and still not fit
		}
		if size+text > s.cfg.Bytes {
			break
		}
		list = append(list, m)
		size += text
		room -= data
	}
	slices.Reverse(list)
	return list, size + images - room
}

// without is the message without the pictures that came as data, the others in
// an array of their own: one shared with the dropped would keep them alive.
func without(m agent.Message) agent.Message {
	m.ImagesExpired = true
	images := m.Images
	m.Images = nil
	for _, p := range images {
		if !isData(p) {
			m.Images = append(m.Images, p)
		}
	}
	if isData(m.GeneratedImageURL) {
		m.GeneratedImageURL = ""
	}
	return m
}

func isData(image string) bool {
	const scheme = "data:"
	return len(image) >= len(scheme) && strings.EqualFold(image[:len(scheme)], scheme)
}

// bytes counts the text and the addresses of a message, and apart from them the
// pictures that came as data.
func bytes(m agent.Message) (text, data int64) {
	text = int64(len(m.Role) + len(m.Content))
	for _, p := range append(slices.Clip(m.Images), m.GeneratedImageURL) {
		if isData(p) {
			data += int64(len(p))
		} else {
			text += int64(len(p))
		}
	}
	return text, data
}
