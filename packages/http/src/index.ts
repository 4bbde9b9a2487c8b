export type { App, AppOptions, CloseOptions, ListenOptions } from './app.ts'
export { createApp } from './app.ts'
export type { ControllerLike } from './collect-routes.ts'
export { collectRoutes } from './collect-routes.ts'
export { contentTypeOf } from './content-type.ts'
export { Controller } from './decorators/controller.ts'
export { Description, Id, Label, Optional, Required } from './decorators/describe.ts'
export { defineGuard, Guard } from './decorators/guard.ts'
export {
  Consumes,
  Delete,
  Get,
  Head,
  Options,
  Patch,
  Post,
  Put,
  Returns,
  type ReturnsOptions,
  Status,
} from './decorators/method.ts'
export { Body, Cookie, Header, Param, Query, Request } from './decorators/params.ts'
export type { InputsOf, RouteInput, RouteOptions, RoutePath, RouteSettings } from './define-route.ts'
export { defineRoute } from './define-route.ts'
export type { HttpErrorOptions, InputPlace, ProblemCode, RequestIssue, RouteErrorCode } from './errors.ts'
export { HttpError, problemCodes, RouteError } from './errors.ts'
export type { AnyDecorator, Mate, Place } from './metadata.ts'
export { getMate } from './metadata.ts'
export type { Problem } from './problem.ts'
export { problemSchema } from './problem.ts'
export type { ReplyOptions } from './reply.ts'
export { HttpReply, reply } from './reply.ts'
export type { HttpRequest, RequestLog, RequestValue } from './request.ts'
export { requestValue } from './request.ts'
export type {
  AnswerProblem,
  DescribingMetadata,
  Guards,
  HttpMethod,
  InputDefinition,
  Metadata,
  ReservedValues,
  ResponseDefinition,
  RouteDefinition,
  RouteGroup,
  RouteHost,
  RouteSource,
  ServedTable,
} from './route.ts'
export { describeRoute, pathParameters } from './route.ts'
export type { FastifyServer, InjectedRequest, InjectedResponse, LoggerOptions } from './server/register.ts'
export type { TableOperation } from './tables/describe-operations.ts'
export type { OperationGuards } from './tables/operation-guards.ts'
export type { TableControllerOptions } from './tables/table-controller.ts'
export { tableController } from './tables/table-controller.ts'
export type { OptionalType, ResolvedType, TypeOf, TypeToken } from './types.ts'
export { describeType, optional, resolveType } from './types.ts'
