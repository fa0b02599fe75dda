package graph_test

import (
	"context"
	"encoding/json"
	"testing"

	"evalctl/agent/graph"
)

// FuzzResume checks that any checkpoint is either rejected or resumed.
func FuzzResume(f *testing.F) {
	f.Add([]byte(`{"next":"a","path":["a"],"state":{"visited":["a"],"score":1}}`))
	f.Add([]byte(`{"next":"","path":null,"state":{}}`))
	f.Add([]byte(`{"next":"b","state":null,"reason":"?"}`))
	g, err := graph.New(graph.Config[sharedState]{Start: "a", Nodes: []node{recordingNode("a", "a")}, MaxSteps: 3})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var c graph.Checkpoint
		if json.Unmarshal(text, &c) != nil {
			t.Skip()
		}
		var s sharedState
		if err := g.Resume(context.Background(), c, &s); err == nil && c.Next != graph.End {
			t.Fatalf("an endless graph ended: %s", text)
		}
	})
}
