import express, { Router } from 'express';
import { expect, test } from 'vitest';
import { methodsAt } from './routing.ts';

test('the methods of a path are those of all its routes, in mounted routers too', () => {
  const app = express();
  const answer = () => null;
  app.get('/a/:id', answer);
  app.put('/a/:id', answer);
  app.post(['/b', '/c'], answer);
  const inner = Router();
  inner.delete('/deep/:id', answer);
  inner.get('/', answer);
  app.use('/mounted', inner);
  app.use(answer);
  expect(methodsAt(app, '/a/7')).toEqual(['GET', 'HEAD', 'PUT']);
  expect(methodsAt(app, '/c')).toEqual(['POST']);
  expect(methodsAt(app, '/mounted/deep/7')).toEqual(['DELETE']);
  expect(methodsAt(app, '/mounted')).toEqual(['GET', 'HEAD']);
  expect(methodsAt(app, '/mounted/nothing')).toEqual([]);
  expect(methodsAt(app, '/a/%ff')).toEqual([]);
});
