import type { ComponentProps, ReactNode } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form that the page sends itself. Without another look, its fields are below each other. */
export function Form({ onSubmit, className = 'flex flex-col gap-4', ...form }: FormProps): ReactNode {
  return (
    <form
      {...form}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
