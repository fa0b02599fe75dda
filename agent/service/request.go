package service

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"time"

	strict "github.com/go-json-experiment/json"

	"evalctl/agent"
	"evalctl/agent/clock"
)

// request is a turn as a client sends it. A field that is null counts as not
// given.
type request struct {
	Text      string                     `json:"text"`
	SessionID string                     `json:"sessionId"` // "": a new one is made up
	MaskData  *maskData                  `json:"maskData"`
	Images    []string                   `json:"images"` // http(s) or data URLs
	History   []agent.Message            `json:"history"`
	Documents []agent.Document           `json:"documents"`
	Options   map[string]json.RawMessage `json:"options"`
}

// maskData is what the user drew on a picture.
type maskData struct {
	Base64      string  `json:"base64"`   // a PNG or JPEG, bare or as a data URL
	ImageURL    string  `json:"imageUrl"` // of the picture below
	Coordinates []point `json:"coordinates"`
}

type point struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}

// read takes the turn from a request's body.
func (s *Service) read(w http.ResponseWriter, r *http.Request) (agent.Turn, *problem) {
	if p := checkType(r.Header.Get("Content-Type")); p != nil {
		return agent.Turn{}, p
	}
	if r.ContentLength > s.cfg.MaxBody {
		return agent.Turn{}, s.tooLarge()
	}
	body, err := s.body(w, r)
	if err != nil {
		return agent.Turn{}, s.explain(err)
	}
	var in *request
	switch err := strict.Unmarshal(body, &in, strict.RejectUnknownMembers(true)); {
	case err != nil:
		return agent.Turn{}, s.explain(err)
	case in == nil:
		return agent.Turn{}, malformed("the request wants an object, has null")
	}
	return in.turn()
}

// body reads up to MaxBody bytes, and fails beyond, or when they come too slowly. They are not decoded as they
// come: the decoder would move all it has with each piece.
func (s *Service) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	whole := clock.Now(r.Context()).Add(bodyStalls * s.cfg.Stall)
	b, err := io.ReadAll(deadlined{http.MaxBytesReader(w, r.Body, s.cfg.MaxBody), func() error {
		piece := clock.Now(r.Context()).Add(s.cfg.Stall)
		if piece.After(whole) {
			piece = whole
		}
		return supported(control.SetReadDeadline(piece))
	}})
	if err != nil {
		return nil, err
	}
	// Or the deadline would strike while the answer is under way.
	return b, supported(control.SetReadDeadline(time.Time{}))
}

// deadlined sets before each read how long it may take.
type deadlined struct {
	io.Reader
	limit func() error
}

func (d deadlined) Read(b []byte) (int, error) {
	if err := d.limit(); err != nil {
		return 0, err
	}
	return d.Reader.Read(b)
}

func checkType(contentType string) *problem {
	if contentType == "" {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(contentType); err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "the request is to be application/json, not %s", piece(contentType))
	}
	return nil
}
