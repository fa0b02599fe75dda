package studio

import (
	"context"

	"evalctl/agent/imagegen"
	"evalctl/agent/trace"
)

// DashScope really paints. Its client should have the node "executor" and
// PaintRetries.
type DashScope struct{ Client *imagegen.Client }

var _ Painter = DashScope{}

// Paint edits the picture that the job is about. Where there is none it makes a
// new one: a step down, unless that is the job.
func (d DashScope) Paint(ctx context.Context, j Job) (Picture, error) {
	if j.Base == "" {
		if j.Task != TextToImage {
			trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: executorNode,
				From: string(j.Task), To: string(TextToImage), Reason: "no_base_image"})
		}
		p, err := d.Client.Generate(ctx, j.Prompt)
		return Picture{URL: p.URL, Task: TextToImage}, err
	}
	p, err := d.Client.Edit(ctx, imagegen.EditRequest{Prompt: j.Prompt, Base: j.Base, Mask: j.Mask})
	return Picture{URL: p.URL}, err
}
