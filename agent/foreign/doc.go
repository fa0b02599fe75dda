// Package foreign contains what the targets http and exec share: both evaluate external agents. It
// encodes a turn as JSON, and reads labels, events and other fields from the JSON answers. A value
// that an agent does not report stays unknown; it never becomes zero. Other packages implement the
// transports.
package foreign
