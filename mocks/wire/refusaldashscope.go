package wire

import "evalctl/mocks/model"

const invalidParameter = "<400> InternalError.Algo.InvalidParameter: "

func (c *Call) dashScopeRefusal(reason ErrorReason) model.ErrorResponse {
	r := model.ErrorResponse{
		Status:  400,
		Type:    badRequest,
		Code:    "invalid_parameter_error",
		Message: invalidParameter + "The request is invalid.",
	}
	switch reason {
	case MissingAPIKey:
		r.Status = 401
		r.Code = "invalid_api_key"
		r.Message = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
	case InvalidAPIKey:
		r.Status = 401
		r.Code = "invalid_api_key"
		r.Message = "Incorrect API key provided."
	case NoBalance:
		r.Code, r.Message = "Arrearage", "Access denied, please make sure your account is in good standing."
	case PermissionDenied:
		r.Status = 403
		r.Code = "access_denied"
		r.Message = "Access denied."
	case UnknownPath:
		r.Status = 404
		r.Code = "not_found"
		r.Message = "Not Found"
	case UnknownModel:
		r.Status = 404
		r.Code = "model_not_found"
		r.Message = "The model `" + c.Model + "` does not exist or you do not have access to it."
	case WrongMethod:
		r.Status = 405
		r.Code = "method_not_allowed"
		r.Message = "Request method '" + c.Request.Method + "' not supported"
	case BodyTooLarge:
		r.Status = 413
		r.Code = "request_too_large"
		r.Message = "Exceeded limit on max bytes to buffer."
	case ContentBlocked:
		r.Code, r.Message = "data_inspection_failed",
			"<400> InternalError.Algo.DataInspectionFailed: Input data may contain inappropriate content."
	case RateLimited:
		r.Status = 429
		r.Type = "limit_requests"
		r.Code = "limit_requests"
		r.Message = "You exceeded your current requests list."
	case ServerError:
		r.Status = 500
		r.Type = "internal_error"
		r.Code = "internal_error"
		r.Message = "<500> InternalError.Algo: An internal error has occured, please try again later."
	case Overloaded:
		r.Status = 503
		r.Type = "internal_error"
		r.Code = "internal_error"
		r.Message = "<503> ModelServingError: Too many requests. Your requests are being throttled due to system capacity limits."
	}
	return r
}

func (c *Call) nativeRefusal(reason ErrorReason) model.ErrorResponse {
	if reason == WrongMethod {
		return model.ErrorResponse{Status: 405, Code: "MethodNotAllowed",
			Message: "Request method '" + c.Request.Method + "' not supported"}
	}
	return nativeError(reason)
}

// nativeError returns the error response of DashScope's native API for a reason.
func nativeError(reason ErrorReason) model.ErrorResponse {
	switch reason {
	case MissingAPIKey:
		return model.ErrorResponse{Status: 401, Code: "InvalidApiKey", Message: "No API-key provided."}
	case InvalidAPIKey:
		return model.ErrorResponse{Status: 401, Code: "InvalidApiKey", Message: "Invalid API-key provided."}
	case NoBalance:
		return model.ErrorResponse{Status: 400, Code: "Arrearage",
			Message: "Access denied, please make sure your account is in good standing."}
	case PermissionDenied:
		return model.ErrorResponse{Status: 403, Code: "AccessDenied", Message: "Access denied."}
	case UnknownPath:
		return model.ErrorResponse{Status: 404, Code: "NotFound", Message: "Not Found"}
	case UnknownModel:
		return model.ErrorResponse{Status: 404, Code: "ModelNotFound", Message: "Model can not be found."}
	case BodyTooLarge:
		return model.ErrorResponse{Status: 413, Code: "BadRequest.TooLarge", Message: "Payload Too Large"}
	case ContentBlocked:
		return model.ErrorResponse{Status: 400, Code: "DataInspectionFailed",
			Message: "Input data may contain inappropriate content."}
	case RateLimited:
		return model.ErrorResponse{Status: 429, Code: "Throttling.RateQuota",
			Message: "Requests rate limit exceeded, please try again later."}
	case ServerError:
		return model.ErrorResponse{Status: 500, Code: "InternalError.Algo",
			Message: "An internal error has occurred during execution, please try again later."}
	case Overloaded:
		return model.ErrorResponse{Status: 503, Code: "ModelServingError",
			Message: "Too many requests. Your requests are being throttled due to system capacity limits."}
	case TimedOut:
		return model.ErrorResponse{Status: 408, Code: "RequestTimeOut",
			Message: "Request timed out, please try again later."}
	}
	return model.ErrorResponse{Status: 400, Code: "InvalidParameter",
		Message: "Required parameter(s) missing or invalid, please check the request parameters."}
}
