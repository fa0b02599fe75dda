package studio

import (
	"context"
	"fmt"

	"evalctl/agent/imagegen"
	"evalctl/agent/trace"
)

// DashScope really paints. Its client should have the node "executor" and
// ImageRetries.
type DashScope struct{ Client *imagegen.Client }

var _ ImageGenerator = DashScope{}

// Paint edits the picture that the job is about. Where there is none it makes a
// new one: a step down, unless that is the job.
func (d DashScope) Paint(ctx context.Context, j ImageRequest) (Image, error) {
	if j.Base == "" {
		return d.generate(ctx, j)
	}
	return d.edit(ctx, j)
}

// generate takes the size alone of the parameters.
func (d DashScope) generate(ctx context.Context, j ImageRequest) (Image, error) {
	if j.Task != TextToImage {
		trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: executorNode,
			From: string(j.Task), To: string(TextToImage), Reason: "no_base_image"})
	}
	width, height, _, ok := parameters(j.Parameters).size()
	if !ok {
		unused(ctx, j, "")
		p, err := d.Client.Generate(ctx, j.Prompt)
		return Image{URL: p.URL, Task: TextToImage}, err
	}
	unused(ctx, j, resolution)
	wished, size := fmt.Sprintf("%d*%d", width, height), d.Client.SizeFor(width, height)
	if size != wished && j.Retry == 0 {
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: executorNode, From: wished, To: size, Reason: "nearest_size", Text: resolution})
	}
	p, err := d.Client.GenerateSized(ctx, j.Prompt, size)
	return Image{URL: p.URL, Task: TextToImage}, err
}

// edit takes the strength alone, and not beside a mask.
func (d DashScope) edit(ctx context.Context, j ImageRequest) (Image, error) {
	r := imagegen.EditRequest{Prompt: j.Prompt, Base: j.Base, Mask: j.Mask}
	used := ""
	if v, _, ok := parameters(j.Parameters).strength(); ok && j.Mask == "" {
		r.Strength, used = &v, styleStrength
	}
	unused(ctx, j, used)
	p, err := d.Client.Edit(ctx, r)
	return Image{URL: p.URL}, err
}

// unused tells, once in a turn, of the parameters that the service does not take.
func unused(ctx context.Context, j ImageRequest, used string) {
	if names := parameters(j.Parameters).besides(used); names != "" && j.Retry == 0 {
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: executorNode, Reason: "unsupported", Text: names})
	}
}
