package ci

import (
	"bytes"
	"strings"
)

// attribute writes ` name="value"`, with the value as one safe line.
func attribute(out *bytes.Buffer, name, value string) {
	out.WriteByte(' ')
	out.WriteString(name)
	out.WriteString(`="`)
	out.WriteString(escapeXML(oneLine(value, longText)))
	out.WriteByte('"')
}

// escapeXML escapes text for attributes and element content. It also escapes >, so that the text
// does not contain ]]>.
func escapeXML(text string) string { return xmlSigns.Replace(text) }

var xmlSigns = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
