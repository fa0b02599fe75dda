// Package foreign is shared by the targets http and exec, which evaluate external agents. It
// encodes a turn as JSON and reads answers, with a label and other fields at configured paths, and
// events. Fields that an agent does not report count as missing, not as zero. The transports are in
// other packages.
package foreign
