import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import {
  type App,
  Controller,
  type ControllerLike,
  createApp,
  defineGuard,
  Get,
  Guard,
  HttpError,
  type HttpRequest,
  Returns,
  tableController,
} from '@portico/http'
import { SpecTag, specController } from '@portico/spec'
import { AnswerController, BodyController } from './bodies.ts'
import { Customer, Label, Note, Order, OrderLabel } from './kit.portico.ts'
import { ParameterController } from './parameters.ts'

export interface KitApp extends AsyncDisposable {
  readonly app: App
  readonly address: string
  readonly token: string
}

const token = 'kit-token'

const signedIn = defineGuard({ security: 'bearer' }, ({ headers }: HttpRequest) => {
  if (headers.authorization !== `Bearer ${token}`) throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first')
})

@Controller('/guarded')
@SpecTag('guarded')
@Guard(signedIn)
class GuardedController {
  @Get()
  @Returns(String)
  read(): string {
    return 'for you'
  }
}

function tableRoutes(db: Database): ControllerLike[] {
  return [
    tableController(Customer, { db, route: 'customers', decorators: [SpecTag('customers')] }),
    tableController(Order, { db, route: 'orders', decorators: [SpecTag('orders')] }),
    tableController(Label, { db, route: 'labels', decorators: [SpecTag('labels')] }),
    tableController(OrderLabel, { db, route: 'order-labels', decorators: [SpecTag('labels')] }),
    tableController(Note, {
      db,
      route: 'notes',
      guard: signedIn,
      scope: () => ({ owner: 'me' }),
      decorators: [SpecTag('notes')],
    }),
  ]
}

/** An app with every kind of route, listening. */
export async function openKit(): Promise<KitApp> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync([Customer, Order, Label, OrderLabel, Note])
  const [ada] = await db.table(Customer).insertMany([{ name: 'Ada' }, { name: 'Grace', level: 2 }])
  await db.table(Order).insertMany([{ customerId: ada!.id, total: '12.50', note: null }])
  await db.table(Label).insertMany([
    { name: 'urgent', color: 'red' },
    { name: 'late', color: null },
  ])
  await db.table(OrderLabel).insertMany([{ orderId: 1, label: 'urgent' }])
  await db.table(Note).insertMany([
    { owner: 'me', text: 'Mine' },
    { owner: 'other', text: 'Not mine' },
  ])
  const app = createApp().register(
    ParameterController,
    BodyController,
    AnswerController,
    GuardedController,
    ...tableRoutes(db),
    specController({
      title: 'Every kind of route',
      version: '1.0.0',
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    }),
  )
  return {
    app,
    address: await app.listen(),
    token,
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.close()
    },
  }
}
