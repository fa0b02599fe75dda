// Package cassette keeps what providers answered in a file, and answers in their place:
// with the same answers, after the same time, piece by piece as they came. What was
// never asked gets no answer at all.
package cassette

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// version is of the file's format.
const version = 2

// Header is the first line of a file, and of each recording that was added to it.
type Header struct {
	CassetteVersion int       `json:"cassette_version"` // Version
	Started         time.Time `json:"started"`
	CreatedBy       string    `json:"created_by"` // the program and its version
}

// TrialRef asked: hints for readers, and for requests that several have asked.
type TrialRef struct {
	Suite        string `json:"suite"`
	Variant      string `json:"variant"`
	Fault        string `json:"fault,omitempty"`
	Case         string `json:"case"`
	Component    string `json:"component"`
	RescoredTurn int    `json:"rescored_turn,omitempty"` // the turn, from 1, that was judged behind the trial
}

// order is by what exchanges of an epoch are sorted.
func (w TrialRef) order(epoch int) string {
	return fmt.Sprintf("%q %q %q %q %06d %q", w.Suite, w.Case, w.Variant, w.Fault, epoch, w.Component)
}

// Exchange is a request and what came back.
type Exchange struct {
	Key             string    `json:"key"`               // hash of the request and the epoch
	KeyWithoutTimes string    `json:"key_without_times"` // the same without the times of day in the request
	Epoch           int       `json:"epoch"`             // from 1; 0: before the first trial
	Nth             int       `json:"nth"`               // from 1: its number among the like requests of its trial and part
	Time            time.Time `json:"time"`              // on the trial's own clock
	Trial           TrialRef  `json:"trial"`
	Request         Request   `json:"request"`
	Response        Response  `json:"response"`
}

// Response is what came back, and when: all times are microseconds since the request.
type Response struct {
	Status       int               `json:"status,omitempty"` // 0: no answer began
	Headers      map[string]string `json:"headers,omitempty"`
	HeadersAfter int64             `json:"headers_us"`
	Chunks       []Chunk           `json:"chunks,omitempty"`
	End          End               `json:"end"`
	EndedAfter   int64             `json:"end_us"`
	Error        string            `json:"error,omitempty"` // what broke it, in words
}

// Chunk is a piece of a body.
type Chunk struct {
	Offset int64  `json:"offset_us"`
	Text   string `json:"text,omitempty"`
	Base64 []byte `json:"base64,omitempty"` // in the place of Text, where the piece is no text
}

func chunkOf(at int64, piece []byte) Chunk {
	if utf8.Valid(piece) {
		return Chunk{Offset: at, Text: string(piece)}
	}
	return Chunk{Offset: at, Base64: piece}
}

func (c Chunk) bytes() []byte {
	if c.Base64 != nil {
		return c.Base64
	}
	return []byte(c.Text)
}

// Body is all of it.
func (r Response) Body() (body []byte) {
	for _, c := range r.Chunks {
		body = append(body, c.bytes()...)
	}
	return body
}
