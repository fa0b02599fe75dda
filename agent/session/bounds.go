package session

import (
	"slices"
	"strings"

	"evalctl/agent"
)

// newest returns the newest messages up to the limit. They share h's array.
func (s *Store) newest(h []agent.Message) []agent.Message {
	return h[max(0, len(h)-s.cfg.Messages):]
}

// bounded returns a copy of the messages of h within the limits, and its size in bytes. images
// limits the bytes of images stored as data. The copy has its own array, so dropped messages can
// be freed.
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
			m, data = withoutDataImages(m), 0
		}
		if text > s.cfg.Bytes {
			continue // it would displace all others and still not fit
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

// withoutDataImages returns the message without its pictures stored as data. The others get a new
// array, so that dropped pictures can be freed.
func withoutDataImages(m agent.Message) agent.Message {
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

// bytes returns the size of text and URLs, and the size of pictures stored as data.
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
