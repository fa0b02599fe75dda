package mocks

const invalidParameter = "<400> InternalError.Algo.InvalidParameter: "

func (c *Call) dashScopeRefusal(why reason) Refusal {
	r := Refusal{Status: 400, Type: badRequest, Code: "invalid_parameter_error", Message: invalidParameter + "The request is invalid."}
	switch why {
	case noKey:
		r.Status, r.Code, r.Message = 401, "invalid_api_key", "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
	case badKey:
		r.Status, r.Code, r.Message = 401, "invalid_api_key", "Incorrect API key provided."
	case noBalance:
		r.Code, r.Message = "Arrearage", "Access denied, please make sure your account is in good standing."
	case denied:
		r.Status, r.Code, r.Message = 403, "access_denied", "Access denied."
	case unknownPath:
		r.Status, r.Code, r.Message = 404, "not_found", "Not Found"
	case unknownModel:
		r.Status, r.Code, r.Message = 404, "model_not_found", "The model `"+c.Model+"` does not exist or you do not have access to it."
	case wrongMethod:
		r.Status, r.Code, r.Message = 405, "method_not_allowed", "Request method '"+c.Request.Method+"' not supported"
	case tooLarge:
		r.Status, r.Code, r.Message = 413, "request_too_large", "Exceeded limit on max bytes to buffer."
	case blocked:
		r.Code, r.Message = "data_inspection_failed", "<400> InternalError.Algo.DataInspectionFailed: Input data may contain inappropriate content."
	case rateLimited:
		r.Status, r.Type, r.Code, r.Message = 429, "limit_requests", "limit_requests", "You exceeded your current requests list."
	case broken:
		r.Status, r.Type, r.Code, r.Message = 500, "internal_error", "internal_error", "<500> InternalError.Algo: An internal error has occured, please try again later."
	case overloaded:
		r.Status, r.Type, r.Code, r.Message = 503, "internal_error", "internal_error", "<503> ModelServingError: Too many requests. Your requests are being throttled due to system capacity limits."
	}
	return r
}

func (c *Call) nativeRefusal(why reason) Refusal {
	switch why {
	case noKey:
		return Refusal{Status: 401, Code: "InvalidApiKey", Message: "No API-key provided."}
	case badKey:
		return Refusal{Status: 401, Code: "InvalidApiKey", Message: "Invalid API-key provided."}
	case noBalance:
		return Refusal{Status: 400, Code: "Arrearage", Message: "Access denied, please make sure your account is in good standing."}
	case denied:
		return Refusal{Status: 403, Code: "AccessDenied", Message: "Access denied."}
	case unknownPath:
		return Refusal{Status: 404, Code: "NotFound", Message: "Not Found"}
	case unknownModel:
		return Refusal{Status: 404, Code: "ModelNotFound", Message: "Model can not be found."}
	case wrongMethod:
		return Refusal{Status: 405, Code: "MethodNotAllowed", Message: "Request method '" + c.Request.Method + "' not supported"}
	case tooLarge:
		return Refusal{Status: 413, Code: "BadRequest.TooLarge", Message: "Payload Too Large"}
	case blocked:
		return Refusal{Status: 400, Code: "DataInspectionFailed", Message: "Input data may contain inappropriate content."}
	case rateLimited:
		return Refusal{Status: 429, Code: "Throttling.RateQuota", Message: "Requests rate limit exceeded, please try again later."}
	case broken:
		return Refusal{Status: 500, Code: "InternalError.Algo", Message: "An internal error has occurred during execution, please try again later."}
	case overloaded:
		return Refusal{Status: 503, Code: "ModelServingError", Message: "Too many requests. Your requests are being throttled due to system capacity limits."}
	case timedOut:
		return Refusal{Status: 408, Code: "RequestTimeOut", Message: "Request timed out, please try again later."}
	}
	return Refusal{Status: 400, Code: "InvalidParameter", Message: "Required parameter(s) missing or invalid, please check the request parameters."}
}
