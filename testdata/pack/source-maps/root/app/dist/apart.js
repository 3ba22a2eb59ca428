function a(){}a()
//# sourceMappingURL=../maps/apart%201.map
