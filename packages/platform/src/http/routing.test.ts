import express, { Router } from 'express';
import { expect, test } from 'vitest';
import { methodsAt } from './routing.ts';

test('the methods of a path are those of all its routes, in mounted routers too', async () => {
  const app = express();
  const answer = () => null;
  app.get('/a/:id', answer);
  app.put('/a/:id', answer);
  app.post(['/b', '/c'], answer);
  const inner = Router();
  inner.delete('/deep/:id', answer);
  inner.get('/', answer);
  app.use('/mounted', inner);
  app.use((_request, _response, next) => next());
  expect(await methodsAt(app, '/a/7')).toEqual(['GET', 'HEAD', 'PUT']);
  expect(await methodsAt(app, '/c')).toEqual(['POST']);
  expect(await methodsAt(app, '/mounted/deep/7')).toEqual(['DELETE']);
  expect(await methodsAt(app, '/mounted')).toEqual(['GET', 'HEAD']);
  expect(await methodsAt(app, '/mounted/nothing')).toEqual([]);
  expect(await methodsAt(app, '/a/%ff')).toEqual([]);
});
