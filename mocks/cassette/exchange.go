// Package cassette records the answers of providers in a file and replays them: the same chunks,
// with the same delays. A request that was never recorded gets an error.
package cassette

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// version is the version of the file format.
const version = 2

// Header is the first line of a file, and of each recording appended to it.
type Header struct {
	CassetteVersion int       `json:"cassette_version"` // the format version
	Started         time.Time `json:"started"`
	CreatedBy       string    `json:"created_by"` // program and version
}

// TrialRef identifies the part of a trial that sent a request. If several trials sent the same
// request, it selects between their recordings.
type TrialRef struct {
	Suite        string `json:"suite"`
	Variant      string `json:"variant"`
	Fault        string `json:"fault,omitempty"`
	Case         string `json:"case"`
	Component    string `json:"component"`
	RescoredTurn int    `json:"rescored_turn,omitempty"` // turn, from 1, that was rescored after the trial
}

// order returns the sort key of the exchanges of an epoch.
func (w TrialRef) order(epoch int) string {
	return fmt.Sprintf("%q %q %q %q %06d %q", w.Suite, w.Case, w.Variant, w.Fault, epoch, w.Component)
}

// Exchange is a request and its response.
type Exchange struct {
	Key             string `json:"key"`               // hash of the request and the epoch
	KeyWithoutTimes string `json:"key_without_times"` // hash without the times of day in the request
	Epoch           int    `json:"epoch"`             // from 1; 0: before the first trial
	// from 1: number among the identical requests of its trial and part
	Number   int       `json:"nth"`
	Time     time.Time `json:"time"` // on the trial's clock
	Trial    TrialRef  `json:"trial"`
	Request  Request   `json:"request"`
	Response Response  `json:"response"`
}

// Response is a response with its timing. All times are in microseconds since the request.
type Response struct {
	Status       int               `json:"status,omitempty"` // 0: no answer began
	Headers      map[string]string `json:"headers,omitempty"`
	HeadersAfter int64             `json:"headers_us"`
	Chunks       []Chunk           `json:"chunks,omitempty"`
	End          End               `json:"end"`
	EndedAfter   int64             `json:"end_us"`
	Error        string            `json:"error,omitempty"` // the error that ended it
}

// Chunk is a piece of a body.
type Chunk struct {
	Offset int64  `json:"offset_us"`
	Text   string `json:"text,omitempty"`
	Base64 []byte `json:"base64,omitempty"` // replaces Text if the chunk is not valid UTF-8
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

// Body returns the complete body.
func (r Response) Body() (body []byte) {
	for _, c := range r.Chunks {
		body = append(body, c.bytes()...)
	}
	return body
}
