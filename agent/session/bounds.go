package session

import (
	"slices"
	"strings"

	"evalctl/agent"
)

// newest returns the newest messages of h, at most Config.MaxMessages. The result shares the
// underlying array of h.
func (s *Store) newest(h []agent.Message) []agent.Message {
	return h[max(0, len(h)-s.cfg.MaxMessages):]
}

// limitHistory returns the newest messages of h that fit the limits of a session, and their size in
// bytes. images is the limit on images stored as data URLs, in bytes. The result has its own array,
// so that dropped messages can be freed.
func (s *Store) limitHistory(h []agent.Message, images int64) (list []agent.Message, size int64) {
	h = s.newest(h)
	list = make([]agent.Message, 0, len(h))
	room := images
	for _, m := range slices.Backward(h) {
		if m.IsEmpty() {
			continue
		}
		text, data := messageSize(m)
		if data > room {
			m, data = withoutDataImages(m), 0
		}
		if text > s.cfg.MaxBytes {
			continue // too large by itself: it would displace all other messages
		}
		if size+text > s.cfg.MaxBytes {
			break
		}
		list = append(list, m)
		size += text
		room -= data
	}
	slices.Reverse(list)
	return list, size + images - room
}

// withoutDataImages returns a message without its images stored as data URLs, and marks it with
// ImagesExpired. Images with http addresses remain.
func withoutDataImages(m agent.Message) agent.Message {
	m.ImagesExpired = true
	images := m.Images
	m.Images = nil
	for _, p := range images {
		if !isDataURL(p) {
			m.Images = append(m.Images, p)
		}
	}
	if isDataURL(m.GeneratedImageURL) {
		m.GeneratedImageURL = ""
	}
	return m
}

func isDataURL(image string) bool {
	const scheme = "data:"
	return len(image) >= len(scheme) && strings.EqualFold(image[:len(scheme)], scheme)
}

// messageSize returns the size of a message's text and http addresses, and separately the size of
// its images stored as data URLs.
func messageSize(m agent.Message) (text, data int64) {
	text = int64(len(m.Role) + len(m.Content))
	for _, p := range append(slices.Clip(m.Images), m.GeneratedImageURL) {
		if isDataURL(p) {
			data += int64(len(p))
		} else {
			text += int64(len(p))
		}
	}
	return text, data
}
