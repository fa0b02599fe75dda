package mocks

import (
	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// assignByPath assigns a request to the component that ForComponent has named (part). If part is
// empty, it assigns the request to the component that the URL path implies. Lists of models and
// downloads of images belong to no component.
func (c *call) assignByPath(part string) {
	role := c.Route.Endpoint.Component()
	switch {
	case !c.Route.Endpoint.HasComponent():
	case part != "" && role != component.Poll:
		c.setPart(part)
	case role != "":
		c.setPart(c.state.parts.ForRole(role))
	}
}

// setPart assigns the call to the named component.
func (c *call) setPart(name string) {
	c.part = c.state.part(name)
	c.entry.Part, c.entry.Component = name, c.part.component
}

// assignChat assigns a chat request to a component, unless the path or the handler has already done
// so.
func (c *call) assignChat(b *wire.ChatBody, r *model.Request) {
	if c.part == nil {
		c.setPart(c.chatPart(b, *r))
	}
	r.Part, r.Component = c.part.name, c.part.component
}

// chatPart returns the name of the component that a chat request belongs to. The model name in the
// request has priority, then the classification by the simulated model, then the form of the
// request.
func (c *call) chatPart(b *wire.ChatBody, r model.Request) string {
	if b.Part != "" {
		return b.Part
	}
	r.Component = b.Component(&r)
	r.Part = c.state.parts.ForRole(r.Component)
	if k, ok := c.state.model.(model.Classifier); ok {
		classified := k.Classify(r)
		if role, _ := c.state.parts.Component(classified); role.IsChatModel() {
			return classified
		}
	}
	return r.Part
}
