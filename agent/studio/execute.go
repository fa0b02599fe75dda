package studio

import (
	"context"
	"fmt"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

func (a *Agent) executeV2(ctx context.Context, s *state) error {
	think(ctx, executor, "开始执行任务："+s.Intent.Action)
	if err := a.execute(ctx, s); err != nil {
		return err
	}
	think(ctx, executor, "任务执行完成")
	return nil
}

func (a *Agent) executeV1(ctx context.Context, s *state) error {
	label, seconds := "生成图片", "2-3"
	switch s.Intent.Action {
	case Inpainting:
		label, seconds = "局部重绘", "3-4"
	case AdjustParameters:
		label = "调整参数"
	}
	think(ctx, executor, fmt.Sprintf("正在%s... 预计需要 %s 秒。", label, seconds))
	if s.Intent.Action == Inpainting && s.Input.Canvas == "" {
		return refusal(baseImageRequired)
	}
	if err := a.execute(ctx, s); err != nil {
		return err
	}
	if err := s.show(ctx, executor, canvas(s.Result.URL)); err != nil {
		return err
	}
	return s.show(ctx, executor, panel(nil))
}

// execute has the picture painted.
func (a *Agent) execute(ctx context.Context, s *state) error {
	j := Job{Task: taskOf(s.Intent.Action), Prompt: s.Prompt.Final, Parameters: s.Intent.Parameters, Retry: s.RetryCount}
	if j.Task != TextToImage {
		j.Base = s.Input.Canvas
	}
	if j.Task == InpaintingTask {
		j.Mask = s.Input.Mask
	}
	if j.Mask != "" && j.Retry == 0 { // decoding is dear, and each loop has the same mask
		if err := checkMask(j.Mask); err != nil {
			return fmt.Errorf("%w: %w", refusal(invalidMask), err)
		}
	}
	p, err := a.paint(ctx, j)
	if err != nil {
		return err
	}
	s.Result = &p
	return nil
}

// paint takes a picture that would be the same again as it is, but paints in
// any case what the critic has sent back.
func (a *Agent) paint(ctx context.Context, j Job) (Picture, error) {
	if j.Retry > 0 {
		return a.painting(ctx, j)
	}
	id := cache.Key(j)
	if p, ok := a.painted.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: executor, Reason: "same_picture"})
		return p, nil
	}
	p, err := a.painting(ctx, j)
	if err == nil && p.Reusable {
		a.painted.Put(ctx, id, p)
	}
	return p, err
}

// painting asks the painter; without an address there is no picture.
func (a *Agent) painting(ctx context.Context, j Job) (Picture, error) {
	p, err := a.Painter.Paint(ctx, j)
	if err == nil && blank(p.URL) {
		err = fmt.Errorf("picture without an address: %w", llm.KindEmpty)
	}
	return p, err
}
