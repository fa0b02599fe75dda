package studio

// The actions, as named in replies of both profiles.
const (
	generateImage    = "generate_image"
	Inpainting       = "inpainting"
	AdjustParameters = "adjust_parameters"
	Unknown          = "unknown" // not a task of the studio
)

// parameterAdjustment is v1's name of AdjustParameters.
const parameterAdjustment = "parameter_adjustment"

// Actions lists the four.
func Actions() []string { return []string{generateImage, Inpainting, AdjustParameters, Unknown} }

// nameV1 is v1's name of an action.
func nameV1(action string) string {
	if action == AdjustParameters {
		return parameterAdjustment
	}
	return action
}
