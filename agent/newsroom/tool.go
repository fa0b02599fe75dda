package newsroom

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/trace"
)

// tool is a function that an agent's or the supervisor's model may call.
type tool struct {
	llm.Tool
	run func(ctx context.Context, w *work, arguments string) (string, error)
}

// Names of the tools.
const (
	searchTool = "search"
	paintTool  = "generate_image"
	readTool   = "read_artifact"
)

func toolset(list ...tool) map[string]tool {
	set := map[string]tool{}
	for _, t := range list {
		set[t.Name] = t
	}
	return set
}

func toolList(set map[string]tool) (list []llm.Tool) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		list = append(list, set[name].Tool)
	}
	return list
}

// parameters returns the JSON Schema of a tool with string arguments. The first argument is
// required.
func parameters(names ...string) json.RawMessage {
	var fields []string
	for _, name := range names {
		fields = append(fields, fmt.Sprintf(`%q:{"type":"string"}`, name))
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%q]}`,
		strings.Join(fields, ","), names[0]))
}

// argument returns a string argument of a tool call; "" if it is missing.
func argument(arguments, name string) string {
	var all map[string]text
	raw, err := llm.ExtractJSON(arguments, name)
	if err == nil {
		_ = json.Unmarshal(raw, &all) // cannot fail: text accepts any JSON value
	}
	return strings.TrimSpace(string(all[name]))
}

// errNoArgument is the error of a tool call without its required argument.
var errNoArgument = errors.New("缺少必需的参数")

// newSearchTool returns the tool that searches the web for facts.
func newSearchTool(c *search.Client) tool {
	return tool{Tool: llm.Tool{Name: searchTool, Description: "在网上搜索事实、数据和来源", Parameters: parameters("query")},
		run: func(ctx context.Context, _ *work, arguments string) (string, error) {
			query := argument(arguments, "query")
			if query == "" {
				return "", errNoArgument
			}
			facts, err := c.SearchAndExtract(ctx, clipRunes(query, 500))
			switch {
			case errors.Is(err, search.ErrNoResults):
				return "没有找到相关资料。", nil
			case err != nil && ctx.Err() == nil:
				trace.Emit(ctx, trace.Event{
					Kind:   trace.KindFallback,
					Node:   "search",
					From:   searchTool,
					To:     researchAgent,
					Reason: llm.TraceReason(err),
				})
			}
			return clipRunes(facts.Text, 4000), err
		}}
}

// newImageTool returns the tool that generates the image of a plan. A plan that has an image keeps it
// until the plan changes. The state selects one of the named generators; defaultValue is used
// otherwise.
func newImageTool(defaultValue ImageGenerator, named map[string]ImageGenerator) tool {
	return tool{Tool: llm.Tool{Name: paintTool, Description: "按配图方案生成一张图片，可以另给更具体的画面描述",
		Parameters: parameters("plan_id", "prompt")},
		run: func(ctx context.Context, w *work, arguments string) (string, error) {
			id := argument(arguments, "plan_id")
			i := slices.IndexFunc(w.State.ImagePlans,
				func(p imagePlan) bool { return strings.TrimSpace(string(p.ID)) == id })
			if i < 0 {
				return "", fmt.Errorf("没有编号为 %q 的配图方案", clipRunes(id, 100))
			}
			plan := w.State.ImagePlans[i]
			if existing := imagesOfPlans(w.State.ImagePlans, w.visit.assets)[i]; existing != "" {
				if w.visit.refused < len(w.State.ImagePlans) { // each plan once, so that the number of calls is limited
					w.visit.refused++
					w.visit.executed--
				}
				return fmt.Sprintf(`{"plan_id":%q,"asset_id":%q,"note":"已有图片，没有重画"}`, id,
					asset(existing, plan.ID)), nil
			}
			prompt := cmp.Or(argument(arguments, "prompt"), string(plan.Prompt))
			at, err := imageGeneratorFor(ctx, w, defaultValue, named).
				Generate(ctx, ImageRequest{Prompt: clipRunes(prompt, 2000), Size: string(plan.Size)})
			if err != nil {
				if ctx.Err() == nil {
					trace.Emit(ctx, trace.Event{
						Kind:   trace.KindFallback,
						Node:   "image",
						From:   paintTool,
						To:     imageAgent,
						Reason: llm.TraceReason(err),
					})
				}
				return "", err
			}
			w.visit.assets = withImage(w.State.ImagePlans, w.visit.assets, i, at)
			w.visit.painted++
			w.State.GeneratedImageAssetIDs = w.visit.assets
			w.State.dropReview()
			w.save(ctx)
			return fmt.Sprintf(`{"plan_id":%q,"asset_id":%q}`, id, asset(at, plan.ID)), nil
		}}
}

// imageGeneratorFor returns the generator that the state names, or defaultValue. An unknown name is
// traced once per visit of the image agent.
func imageGeneratorFor(ctx context.Context, w *work, defaultValue ImageGenerator,
	named map[string]ImageGenerator) ImageGenerator {
	name := strings.ToLower(strings.TrimSpace(string(w.State.ImageGenProvider)))
	if p := named[name]; p != nil {
		return p
	}
	if name != "" && w.visit.executed == 1 {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   imageNode,
			From:   clipRunes(name, 100),
			To:     paintTool,
			Reason: "unused",
		})
	}
	return defaultValue
}

// newReadTool returns the tool with which the supervisor reads the content of an artifact.
func newReadTool() tool {
	return tool{Tool: llm.Tool{Name: readTool, Description: "查看一个字段的内容，例如 creativeBrief",
		Parameters: parameters("field")},
		run: func(_ context.Context, w *work, arguments string) (string, error) {
			name := argument(arguments, "field")
			if !slices.Contains(StateFieldNames(), name) || name == "messages" {
				return "", fmt.Errorf("没有这个字段：%q", clipRunes(name, 100))
			}
			return cmp.Or(clipRunes(w.State.formatFields([]string{name}), 4000), name+" 还是空的。"), nil
		}}
}
