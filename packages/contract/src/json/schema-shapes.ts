import Type, { type TObjectOptions, type TProperties, type TSchema } from 'typebox';

/** An object with these members and no others. */
export const closedObject = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
