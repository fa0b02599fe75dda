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
	role := c.Route.Endpoint.Role()
	switch {
	case !c.Route.Endpoint.IsComponentCall():
	case part != "" && role != component.Poll:
		c.setComponent(part)
	case role != "":
		c.setComponent(c.state.components.NameForRole(role))
	}
}

// setComponent assigns the call to the named component.
func (c *call) setComponent(name string) {
	c.component = c.state.findComponent(name)
	c.entry.ComponentName, c.entry.Role = name, c.component.component
}

// assignChat assigns a chat request to a component, unless ForComponent or the URL path has already
// assigned it.
func (c *call) assignChat(b *wire.ChatBody, r *model.Request) {
	if c.component == nil {
		c.setComponent(c.chatComponent(b, *r))
	}
	r.ComponentName, r.Role = c.component.name, c.component.component
}

// chatComponent returns the name of the component that a chat request belongs to. The first of
// these that names a component decides: the model name in the request, the simulated model (as a
// Classifier), the form of the request.
func (c *call) chatComponent(b *wire.ChatBody, r model.Request) string {
	if b.ComponentName != "" {
		return b.ComponentName
	}
	r.Role = b.GuessRole(&r)
	r.ComponentName = c.state.components.NameForRole(r.Role)
	if k, ok := c.state.model.(model.Classifier); ok {
		classified := k.Classify(r)
		if role, _ := c.state.components.RoleOf(classified); role.IsChatModel() {
			return classified
		}
	}
	return r.ComponentName
}
