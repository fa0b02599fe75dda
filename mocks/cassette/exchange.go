// Package cassette records requests to providers and their answers in a file, and replays them with
// the same chunks and delays. A request that was never recorded gets an error.
package cassette

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// version is the version of the cassette format that this package reads and writes.
const version = 2

// FileHeader is the first line of a cassette file. Each recording appended to the file starts with
// another one.
type FileHeader struct {
	CassetteVersion int       `json:"cassette_version"` // version of the cassette format
	Started         time.Time `json:"started"`          // when the recording began
	CreatedBy       string    `json:"created_by"`       // program and version that wrote the recording
}

// TrialRef identifies the trial and the component that sent a recorded request. If several trials
// recorded the same request, a replay uses the recording of the most similar TrialRef.
type TrialRef struct {
	Suite     string `json:"suite"`
	Variant   string `json:"variant"`
	Fault     string `json:"fault,omitempty"` // fault spec of the condition; empty: no fault
	Case      string `json:"case"`            // ID of the case
	Component string `json:"component"`       // name of the agent component that sent the request
	// the turn that was scored again after the trial, from 1; 0: none
	RescoredTurn int `json:"rescored_turn,omitempty"`
}

// order returns a key that sorts exchanges by trial, epoch and component.
func (w TrialRef) order(epoch int) string {
	return fmt.Sprintf("%q %q %q %q %06d %q", w.Suite, w.Case, w.Variant, w.Fault, epoch, w.Component)
}

// Exchange is one recorded request and its response: one line of a cassette file.
type Exchange struct {
	Key             string `json:"key"`               // hash of the request and the epoch, in hex
	KeyWithoutTimes string `json:"key_without_times"` // the same hash, but ignoring times of day in the request
	// epoch of the trial, from 1; 0: the request was sent before the first trial
	Epoch int `json:"epoch"`
	// number among the identical requests of the same trial and component, from 1
	Occurrence int       `json:"nth"`
	Time       time.Time `json:"time"` // when the request was sent, on the trial's clock
	Trial      TrialRef  `json:"trial"`
	Request    Request   `json:"request"`
	Response   Response  `json:"response"`
}

// Response is a recorded HTTP response with its timing. All times are in microseconds since the
// request was sent.
type Response struct {
	// HTTP status; 0: the connection failed before a status arrived
	Status        int               `json:"status,omitempty"`
	Headers       map[string]string `json:"headers,omitempty"`
	HeadersMicros int64             `json:"headers_us"`       // when the headers arrived
	Chunks        []Chunk           `json:"chunks,omitempty"` // pieces of the body, in order
	End           EndReason         `json:"end"`              // how the answer ended
	EndMicros     int64             `json:"end_us"`           // when the answer ended
	// text of the error that ended the answer; empty: complete
	Error string `json:"error,omitempty"`
}

// Chunk is a piece of a response body, as it arrived from the network.
type Chunk struct {
	OffsetMicros int64  `json:"offset_us"`        // when the piece arrived, in microseconds since the request
	Text         string `json:"text,omitempty"`   // the bytes as text, if they are valid UTF-8
	Base64       []byte `json:"base64,omitempty"` // the bytes, if they are not valid UTF-8; then Text is empty
}

func chunkOf(at int64, piece []byte) Chunk {
	if utf8.Valid(piece) {
		return Chunk{OffsetMicros: at, Text: string(piece)}
	}
	return Chunk{OffsetMicros: at, Base64: piece}
}

func (c Chunk) bytes() []byte {
	if c.Base64 != nil {
		return c.Base64
	}
	return []byte(c.Text)
}

// Body returns the complete body: all chunks joined.
func (r Response) Body() (body []byte) {
	for _, c := range r.Chunks {
		body = append(body, c.bytes()...)
	}
	return body
}
