function b(){}b()
//# sourceMappingURL=y.js.map
