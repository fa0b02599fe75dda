package studio

// The actions, as a reply names them in both profiles.
const (
	generateImage    = "generate_image"
	Inpainting       = "inpainting"
	AdjustParameters = "adjust_parameters"
	Unknown          = "unknown" // nothing that the studio can do
)

// parameterAdjustment is v1's name of AdjustParameters.
const parameterAdjustment = "parameter_adjustment"

// Actions lists the four.
func Actions() []string { return []string{generateImage, Inpainting, AdjustParameters, Unknown} }

// nameV1 is an action by v1's name.
func nameV1(action string) string {
	if action == AdjustParameters {
		return parameterAdjustment
	}
	return action
}
