// Work for the profiler: what is called how, and where, must be told from the generated code.
export interface Shape {
	area(): number;
}

export function fibonacci(position: number): number {
	return position < 2 ? position : fibonacci(position - 1) + fibonacci(position - 2);
}

export class Circle implements Shape {
	constructor(private readonly radius: number) {}

	area(): number {
		let sum = 0;

		for (let step = 0; step < 400; step++)
			sum += Math.sqrt(this.radius * this.radius - step / 400);
		return sum;
	}
}

export const collatz = (start: number): number => {
	let steps = 0;

	for (let value = start; value !== 1; steps++)
		value = value % 2 ? 3 * value + 1 : value / 2;
	return steps;
};
